import { isIP } from 'node:net';
import { SettingError } from '../base/settings.js';

const HOST_NAME = /^[\w-]+(\.[\w-]+)*\.?$/;

/** Accepts an IP address or a host name on which to listen. The port is another setting. */
export function listenHost(value: string): string {
  if (isIP(value) === 0 && !HOST_NAME.test(value))
    throw new SettingError(`expected an IP address or a host name, without a port and without brackets, got "${value}"`);
  return value;
}
