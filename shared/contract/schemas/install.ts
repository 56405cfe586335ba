import { Type } from 'typebox';
import { INSTALL_ID_CHARACTERS_MAX } from '../../base/limits.js';
import { plainText } from './fields.js';

export const installParamsSchema = Type.Object({
  install: plainText('Id that the app gave the installation, percent-encoded', 1, INSTALL_ID_CHARACTERS_MAX),
});
