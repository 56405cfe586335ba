import { ANALYTICS } from './german/analytics.js';
import type { Catalogue } from './german/catalogue.js';
import { CODES } from './german/codes.js';
import { ENVIRONMENT } from './german/environment.js';
import { LINKS } from './german/links.js';
import { MOVING_IN } from './german/moving-in.js';
import { PAGE } from './german/page.js';
import { RESOURCES } from './german/resources.js';

/** All texts in German, keyed by the English texts of the source. They are a separate file, which users of the English page never load. */
export const GERMAN: Catalogue = { ...PAGE, ...LINKS, ...ANALYTICS, ...MOVING_IN, ...ENVIRONMENT, ...RESOURCES, ...CODES };
