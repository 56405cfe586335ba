import t from 'tap';
import { screenOf, sectionOf } from '../../../../control-plane/dashboard/parts/addresses.js';

t.test('what the user has chosen on a screen is not part of the address of the screen, nor of its section', async (t) => {
  for (const [location, screen, section] of [
    ['/', '/', '/'],
    ['/list/range=30d&count=human', '/', '/'],
    ['/links', '/links', '/links'],
    ['/links/list/search=a/b', '/links', '/links'],
    ['/links/lnk_1/edit', '/links/lnk_1/edit', '/links'],
    ['/links/lnk_1/list/range=30d&count=all', '/links/lnk_1', '/links'],
    ['/analytics', '/analytics', '/analytics'],
    ['/analytics/by=link&path=/list/a', '/analytics', '/analytics'],
    ['/url-templates/new/type_1', '/url-templates/new/type_1', '/url-templates'],
  ] as const) {
    t.equal(screenOf(location), screen, location);
    t.equal(sectionOf(location), section, location);
  }
});
