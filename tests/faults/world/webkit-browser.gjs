// A WebKitGTK browser for WebKitWebDriver, run by GJS: `gjs -m webkit-browser.gjs FOLDER`. Unlike MiniBrowser in
// automation mode, it stores everything in FOLDER, so that a killed browser can be opened again, it allows the
// microphone without a dialog, and it runs FOLDER/prepare.js before the scripts of every page.
import GLib from 'gi://GLib';
import Gtk from 'gi://Gtk?version=3.0';
import WebKit2 from 'gi://WebKit2?version=4.1';
import System from 'system';

const [folder] = System.programArgs;
Gtk.init(null);

const context = new WebKit2.WebContext({
  website_data_manager: new WebKit2.WebsiteDataManager({
    base_data_directory: `${folder}/data`,
    base_cache_directory: `${folder}/cache`,
  }),
});
context.website_data_manager
  .get_cookie_manager()
  .set_persistent_storage(`${folder}/cookies.sqlite`, WebKit2.CookiePersistentStorage.SQLITE);
context.set_automation_allowed(true);

const settings = new WebKit2.Settings({
  enable_media_stream: true,
  enable_mediasource: true,
  enable_mock_capture_devices: false,
  media_playback_requires_user_gesture: false,
  enable_developer_extras: true,
});

const [, script] = GLib.file_get_contents(`${folder}/prepare.js`);
const content = new WebKit2.UserContentManager();
content.add_script(
  new WebKit2.UserScript(
    new TextDecoder().decode(script),
    WebKit2.UserContentInjectedFrames.TOP_FRAME,
    WebKit2.UserScriptInjectionTime.START,
    null,
    null,
  ),
);

function openView() {
  const view = new WebKit2.WebView({
    web_context: context,
    settings,
    user_content_manager: content,
    is_controlled_by_automation: true,
    website_policies: new WebKit2.WebsitePolicies({ autoplay: WebKit2.AutoplayPolicy.ALLOW }),
  });
  view.connect('permission-request', (_, request) => {
    request.allow();
    return true;
  });
  const window = new Gtk.Window({ default_width: 1280, default_height: 900 });
  window.add(view);
  window.show_all();
  view.connect('close', () => window.destroy());
  return view;
}

context.connect('automation-started', (_, session) => {
  const info = new WebKit2.ApplicationInfo();
  info.set_name('Earshot tests');
  info.set_version(2, 0, 0);
  session.set_application_info(info);
  session.connect('create-web-view', openView);
});
openView().load_uri('about:blank');
Gtk.main();
