import { pathRowReader } from '../http/path-row-reader.js';
import { findLink } from './sql.js';

export const requireLink = pathRowReader({ parameter: 'link', kind: 'link', noun: 'link', find: findLink });
