/**
 * Returns a contact card (vCard 3.0, RFC 2426) with a name and a phone number, as a data URL for a
 * download link. It needs no request and is the same on every page.
 *
 * @param number in international form, for example `+15550100199`
 */
export function contactCard(name: string, number: string): string {
  const escaped = name.replace(/[\\,;]/g, (sign) => `\\${sign}`);
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escaped}`,
    `N:;${escaped};;;`,
    `ORG:${escaped}`,
    `TEL;TYPE=WORK,VOICE:${number}`,
    'END:VCARD',
    '',
  ];
  return `data:text/vcard;charset=utf-8,${encodeURIComponent(lines.join('\r\n'))}`;
}
