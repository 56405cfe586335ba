import type { Finding } from '../../../control-plane/cli/finding.js';

const PROGRAM = /^(apt-get|certbot|createdb|curl|docker|du|git|install|linkd|mount|npm|nvm|psql|sysctl|systemctl|timedatectl|ulimit) \S/;
/** A setting of the environment, a file of settings, or a unit: its name and a value. */
const SETTING = /^[A-Za-z]\w* ?= ?\S/;
/** A line of a DNS zone. */
const RECORD = /^\S+\. IN (A|AAAA|CNAME) \S/;

/**
 * What is wrong with the repair of a finding. A repair must begin with a command, or with a setting and its value. Returns '' if
 * it does, or if no repair is needed.
 */
export function repairFault({ check, status, repair }: Finding): string {
  if (status === 'ok') return repair === null ? '' : `${check} is well, and has a repair`;
  if (repair === null) return status === 'unchecked' ? '' : `${check} has no repair`;
  if (status === 'unchecked') return PROGRAM.test(repair) ? '' : `${check} is not checked by a command: ${repair}`;
  return [PROGRAM, SETTING, RECORD].some((form) => form.test(repair))
    ? ''
    : `${check} is not repaired by a command or a setting: ${repair}`;
}
