import { Fragment } from 'react';
import { blocksOf, type Block, type Inline } from './note-text.ts';
import styles from './notes.module.css';

/** A note's text with its formatting, rendered without parsing HTML. */
export function NoteView({ text }: { text: string }) {
  return (
    <div translate="no" className={styles.text}>
      {blocksOf(text).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'paragraph') {
    return (
      <p dir="auto">
        {block.lines.map((line, index) => (
          <Fragment key={index}>
            {index > 0 && <br />}
            <Inlines parts={line} />
          </Fragment>
        ))}
      </p>
    );
  }
  const items = block.items.map((item, index) => (
    <li key={index} dir="auto">
      <Inlines parts={item} />
    </li>
  ));
  return block.kind === 'bullets' ? <ul>{items}</ul> : <ol start={block.first}>{items}</ol>;
}

function Inlines({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => <InlineView key={index} part={part} />);
}

function InlineView({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'bold':
      return (
        <strong>
          <Inlines parts={part.parts} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Inlines parts={part.parts} />
        </em>
      );
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer">
          {<Inlines parts={part.parts} />}
        </a>
      );
  }
}
