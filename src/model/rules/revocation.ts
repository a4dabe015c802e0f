/** Recognises text messages that revoke consent (47 CFR 64.1200(a)(10)). */

import { withoutAccents } from '../fields/text.ts';

/** The words of the FCC, and Spanish ones. A message of only these words revokes. */
const WORD =
  'stop|stopall|quit|end|revoke|opt ?out|cancel|unsubscribe|no more|' +
  'alto|para|pare|paren|parar|deten|detener|detengan|basta|baja|cancelar|no mas';
/** Words that do not change the meaning of such a message. */
const FILLER =
  'please|pls|now|just|thanks|thank you|it|this|all|everything|ya|todo|por favor|gracias';
const CONTACT = '(?:call|text|messag|message|msg|contact|e ?mail|bother|harass|spam)';
const CONTACTING = `(?:text )?${CONTACT}(?:e?s|m?ing)\\b`;
const WANT =
  'ever|want|wish|need|like|you|to|me|us|be|get|receive|keep|try|any|more|further|the|your|these|agree|' +
  'consent|or|and|all|of|with|sending|making';
const CONTACTO =
  '(?:llam|mand|envi|escrib|contacte|contacta|molest|texte|marqu|mensaj)(?!o\\b|ado\\b|aron\\b|aste\\b)\\w*';
const QUIERO = 'me|nos|quiero|queremos|deseo|mas|que|vuelva|vuelvan|a|recibir|siga|sigan|necesito';

const either = (...patterns: readonly string[]) => new RegExp(patterns.join('|'));

const revoking = either(
  `^(?:(?:${FILLER}|${WORD}) )*(?:${WORD})(?: (?:${FILLER}|${WORD}))*$`,
  '^(?:please )?stop\\b(?! (?:sign|light|by|at|in)\\b)',
  '\\b(?:unsubscribe|revok(?:e|ing)|opt(?:ing)? (?:me )?out|do not call list|not interested)\\b',
  `\\b(?:stop|quit|cease|no more)(?: (?:${WANT}))*(?: \\w+)? ${CONTACTING}`,
  '\\b(?:remove|take|delete|erase) (?:me|us|my|this)(?: \\w+){0,2}? (?:off|from|number|info\\w*|data)\\b',
  '\\b(?:leave (?:me|us) alone|lose my number|wrong number)\\b',
  `\\b(?:deje|dejen|pare|paren) de ${CONTACTO}`,
  '\\b(?:quite|borre|elimine|saque)\\w*(?: \\w+){0,4}? (?:numero|lista|telefono|datos)\\b',
  '\\b(?:dejenme en paz|de baja|numero equivocado|revoco|no me interesa)\\b',
);
const askingNotTo = either(
  `\\b(?:do not|don ?t|never|no longer)(?: (?:${WANT}))* (?:${CONTACT}|${CONTACTING})\\b`,
  `\\bno(?: (?:${QUIERO}))* ${CONTACTO}`,
);

/** Matches messages that ask for the opposite. */
const OPPOSITE =
  /\b(?:do not|don ?t|never|did you) (?:stop|cancel|quit|remove|opt out|unsubscribe)|\bno (?:deje|dejen|pare|paren) de\b/;
/** Matches requests for another time, such as "Don't call before noon", unless they say "again". */
const TIME = /\b(?:before|until|till|after|antes|hasta|despues)\b/;
const FOR_GOOD = /\b(?:ever|again|any ?more|nunca|jamas|mas)\b/;

/** Returns whether a text message revokes consent to calls and texts. `optOutType` is Twilio's. */
export function revokesConsent(message: string, optOutType = ''): boolean {
  if (optOutType.toUpperCase() === 'STOP') return true;
  // Twilio's longest message has 1,600 characters.
  const text = withoutAccents(message.slice(0, 1_600))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (OPPOSITE.test(text)) return false;
  const isForGood = !TIME.test(text) || FOR_GOOD.test(text);
  return revoking.test(text) || (isForGood && askingNotTo.test(text));
}
