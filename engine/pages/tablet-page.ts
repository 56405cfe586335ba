import { pagePolicy, renderPage } from './html.js';
import { COPY_SCRIPT, deviceAttribute, type OpenPage, openPageMain, TELL_SCRIPT } from './open-page.js';
import { statusPageMain } from './status-page.js';

/**
 * A Mac has no touch screen, but an iPad whose user agent says Mac has one. Only then does the page show the way to the app and
 * report on its click.
 */
export const TABLET_PAGE_SCRIPT = `{${COPY_SCRIPT}
${TELL_SCRIPT}
let n=navigator.maxTouchPoints;
if(n>1){let p=o.getElementById('ipad');o.getElementById('mac').hidden=true;p.hidden=false;o.title=p.querySelector('h1').textContent;if(d.device)tell('&touch='+n)}}`;

export const tabletPagePolicy = pagePolicy({ scripts: [TABLET_PAGE_SCRIPT], connects: true, style: '' });

/**
 * Renders the page of a link that has nothing for a desktop, for a visitor whose user agent says Mac. On a Mac it says what it
 * says on every desktop. On an iPad it is `tablet`, the page that opens the app. Nothing opens without a tap.
 */
export function renderTabletPage(tablet: OpenPage): string {
  const { language, brand } = tablet;
  const desktop = statusPageMain('no_destination', language, brand);
  return renderPage({
    brand,
    language,
    title: desktop.title,
    head: '<meta name="robots" content="noindex">\n',
    bodyAttributes: deviceAttribute(tablet),
    main: `<div id="mac">\n${desktop.main}\n</div>\n<div id="ipad" hidden>\n${openPageMain(tablet).main}\n</div>`,
    script: TABLET_PAGE_SCRIPT,
  });
}
