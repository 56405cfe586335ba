import { asciiHostName } from '../../shared/net/host-name.js';

/** A host name as hosts are stored: lower case, international names in ASCII. Other texts are left as they are, to be refused. */
export const hostArgument = (text: string): string => asciiHostName(text) || text;
