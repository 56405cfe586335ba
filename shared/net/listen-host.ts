import { isIP } from 'node:net';
import { SettingError } from '../base/settings.js';

const HOST_NAME = /^[\w-]+(\.[\w-]+)*\.?$/;

/** An address on which to listen, or the name of one. Its port is a setting of its own. */
export function listenHost(value: string): string {
  if (isIP(value) === 0 && !HOST_NAME.test(value))
    throw new SettingError(`expected an IP address or a host name, without a port, got "${value}"`);
  return value;
}
