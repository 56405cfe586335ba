import { pathRowReader } from '../http/path-row-reader.js';
import { findView } from './sql.js';

export const requireView = pathRowReader({ parameter: 'view', kind: 'view', noun: 'view', find: findView });
