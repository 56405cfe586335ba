import { pathRowReader } from '../http/path-row-reader.js';
import { findCampaign } from './sql.js';

export const requireCampaign = pathRowReader({ parameter: 'campaign', kind: 'campaign', noun: 'campaign', find: findCampaign });
