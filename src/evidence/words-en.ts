import type { Words } from './words.ts';

/** The English words of a report. */
export const en: Words = {
  verdicts: {
    proven: {
      title: 'This pack is genuine and unchanged',
      text: 'It was signed by {issuer}, with a key from {from}. Everything that was checked passed.',
    },
    unconfirmed: {
      title: 'Nothing is wrong, but the proof is not complete',
      text: 'The pack fits together, but one thing that you need to rely on it was not checked. Anyone can make a pack with keys of their own. See “not checked” below.',
    },
    failed: {
      title: 'Do not rely on this pack',
      text: 'At least one check failed. The pack was changed, damaged, or is not what it says. Ask for a new copy.',
    },
  },
  partly: 'Genuine, as far as it was checked',
  outcomes: { passed: 'passed', failed: 'failed', 'not-checked': 'not checked' },
  checks: {
    container: {
      name: 'The file',
      passed: 'The file is complete. Nothing is hidden in it or added to it.',
      failed: 'The file is not a complete pack, or something was changed in it or added to it.',
    },
    manifest: {
      name: 'The list of contents',
      passed: 'The list of what is in the pack has its exact form.',
      failed: 'The list of what is in the pack was changed or is damaged.',
    },
    files: {
      name: 'The contents',
      passed: 'Every file is exactly as listed. None is missing, and none was added.',
      failed: 'A file was changed, removed or added after the list was made.',
    },
    signature: {
      name: 'The signature',
      passed: 'The list was signed, and was not changed since.',
      failed: 'The signature does not belong to this list of contents.',
    },
    validity: {
      name: 'The time of the keys',
      passed: 'The keys were valid when they were used.',
      failed: 'A key was used before or after the time in which it was valid.',
    },
    signer: {
      name: 'Who signed',
      passed: 'It was signed with a key of {issuer}, as the keys from {from} show.',
      failed:
        'It was signed with a key that is not among the keys from {from}. Someone else may have made it.',
      notChecked:
        'Who signed is not known: there were no keys from a place that you trust. Get them from the issuer’s site, at /.well-known/evidence/keys.json.',
    },
    head: {
      name: 'The state of the log',
      passed: 'The issuer signed the state of its public log: {size} entries.',
      failed:
        'The state of the log is not signed by the issuer, or is not the one that the pack names.',
    },
    inclusion: {
      name: 'Entries in the log',
      passed: 'The lead, the consent and the deliveries are in the log exactly as in this pack.',
      failed: 'At least one record is not in the log as this pack shows it.',
    },
    record: {
      name: 'The records',
      passed: 'All records are of the same lead, and say the same in every file.',
      failed: 'The records are not all of this lead, or two files say different things.',
    },
    times: {
      name: 'The order of times',
      passed: 'The times follow one another: shown, agreed, received, logged, packed.',
      failed: 'The times contradict one another.',
    },
    history: {
      name: 'The log, compared with what you kept',
      passed: 'The log is the one whose state you kept. Nothing in it was rewritten.',
      failed: 'The log is not the one whose state you kept, or its history was rewritten.',
      notChecked:
        'Whether the log was rewritten since was not checked. This needs a state of the log that you or someone else kept and, if it is older or newer, the proof from /.well-known/evidence/consistency.',
    },
    timestamp: {
      name: 'The independent time stamp',
      passed:
        'A time-stamp service, “{by}” by its certificate, confirmed when this pack was there.',
      failed: 'The time stamp is missing, was changed, or is not of this pack.',
    },
    stamper: {
      name: 'Who set the time stamp',
      passed: 'The certificate that you trust vouches for the service, “{by}”.',
      failed:
        'The certificates that you trust do not vouch for the service. Anyone can make a time stamp under any name.',
      notChecked:
        'The time is proven only against the certificate in the time stamp, and anyone can make one under any name. Check again with the root certificate of the service, which the service publishes, or compare the SHA-256.',
    },
  },
  facts: {
    issuer: 'Issuer',
    leadId: 'Lead',
    revision: 'Revision',
    person: 'Person',
    text: 'Text that was agreed to',
    version: 'Version of the text',
    page: 'Page',
    shownAt: 'Text shown at (visitor’s clock)',
    givenAt: 'Agreed at (visitor’s clock)',
    how: 'How the form was sent',
    seen: 'Text in view: part, time as a whole, font size, contrast',
    receivedAt: 'Received by the server at',
    address: 'Internet address',
    deliveries: 'Sent to',
    recipient: 'Pack made for',
    log: 'Log, entries, time, root',
    madeAt: 'Pack made at',
    timestamp: 'Time stamp: time, service, certificate (SHA-256)',
    kid: 'Signing key',
  },
  titles: {
    checks: 'What was checked',
    facts: 'What the pack proves was recorded',
    claims: 'What the pack says (not proven)',
    notProven: 'What no pack can prove',
    details: 'Technical details',
  },
  notProven: [
    'Who sat at the keyboard: that the person named is the person who agreed.',
    'That a call or message to this person is lawful.',
    'That the page looked exactly like the picture in the pack: it was rebuilt from the kept page.',
    'The times of the visitor’s own clock. The times of the server are the issuer’s word until they are in a state of the log that someone else kept.',
    'That the issuer recorded everything. The log shows what was recorded, and that it was not changed afterwards.',
  ],
  notReached: 'Not reached: an earlier check failed.',
  none: 'none',
};
