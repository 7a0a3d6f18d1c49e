import { useState } from 'react';
import { useLingui } from '@lingui/react/macro';
import { Gauge } from 'lucide-react';
import { CopyByHand } from '#web/ui/controls/copy-by-hand.tsx';
import { SearchField } from '#web/ui/controls/search-field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Switch } from '#web/ui/controls/switch.tsx';
import { TextArea } from '#web/ui/controls/text-area.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { longTitle } from '#web/dev/sample-data.ts';
import { Part, State, States } from '#web/dev/states.tsx';
import styles from '#web/dev/dev.module.css';

export function Fields() {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const [isOn, setOn] = useState(true);
  const [choice, setChoice] = useState('a');
  const options = [
    { value: 'a', label: t`System` },
    { value: 'b', label: longTitle },
  ];
  const field = { value: text, onChange: setText, label: t`Title` };
  return (
    <>
      <Part name="controls/text-field">
        <State wide name="rest">
          <TextField {...field} placeholder={t`Name this recording`} />
        </State>
        <State wide name="focus">
          <div className={styles.focused}>
            <TextField {...field} />
          </div>
        </State>
        <State wide name="help">
          <TextField {...field} description={t`Turn this off if you use dictation or voice control.`} />
        </State>
        <State wide name="error">
          <TextField {...field} errorMessage={t`That did not work. Please try again.`} />
        </State>
        <State wide name="disabled">
          <TextField {...field} isDisabled />
        </State>
        <State wide name="password">
          <TextField {...field} label={t`Password`} type="password" />
        </State>
        <State wide name="long">
          <TextField {...field} value={longTitle} />
        </State>
      </Part>
      <Part name="controls/text-area">
        <State wide name="rest">
          <TextArea {...field} />
        </State>
        <State wide name="help">
          <TextArea {...field} description={t`Turn this off if you use dictation or voice control.`} />
        </State>
        <State wide name="long">
          <TextArea {...field} value={`${longTitle}\n\n${longTitle}`} />
        </State>
      </Part>
      <Part name="controls/copy-by-hand">
        <State wide name="rest">
          <CopyByHand url="https://earshot.example/s/9A8B7C6D5E4F3G2H1J9A8B" />
        </State>
      </Part>
      <Part name="controls/search-field">
        <State wide name="empty">
          <SearchField label={t`Search recordings`} value="" onChange={setText} />
        </State>
        <State wide name="filled">
          <SearchField label={t`Search recordings`} value={longTitle} onChange={setText} />
        </State>
      </Part>
      <Part name="controls/select">
        <State wide name="rest">
          <Select label={t`Speed`} value={choice} options={options} onChange={setChoice} />
        </State>
        <State wide name="disabled">
          <Select label={t`Speed`} value={choice} options={options} isDisabled onChange={setChoice} />
        </State>
        <States>
          <State name="chip">
            <Select
              label={t`Speed`}
              labelHidden
              look="chip"
              icon={<Gauge />}
              value={choice}
              options={options}
              onChange={setChoice}
            />
          </State>
        </States>
      </Part>
      <Part name="controls/switch">
        <State wide name="on and off">
          <Switch
            isSelected={isOn}
            onChange={setOn}
            description={t`Turn this off if you use dictation or voice control.`}
          >{t`Keyboard shortcuts`}</Switch>
        </State>
        <State wide name="disabled">
          <Switch isSelected={false} onChange={setOn} isDisabled>{t`Keyboard shortcuts`}</Switch>
        </State>
      </Part>
    </>
  );
}
