import { pagePolicy, renderPage } from './html.js';
import { COPY_SCRIPT, deviceAttribute, type OpenPage, openPageMain, TELL_SCRIPT } from './open-page.js';
import { statusPageMain } from './status-page.js';

/** A Mac has no touch screen, an iPad that calls itself one has: only then the way to the app is shown, and its click told. */
const SCRIPT = `{${COPY_SCRIPT}
${TELL_SCRIPT}
let n=navigator.maxTouchPoints;
if(n>1){o.getElementById('mac').hidden=true;o.getElementById('ipad').hidden=false;if(d.device)tell('&touch='+n)}}`;

export const tabletPagePolicy = pagePolicy({ script: SCRIPT, connects: true, style: '' });

/**
 * The page of a link that has nothing for a desktop, for a visitor who calls himself a Mac: for a Mac it says what it says to
 * every desktop, and for an iPad it is the page that opens the app, `tablet`. Nobody is led on without a tap.
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
    script: SCRIPT,
  });
}
