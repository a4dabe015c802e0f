import { expect, test } from 'vitest';
import { revokesConsent } from './revocation.ts';

test.each([
  ...[
    'STOP',
    'stop.',
    ' Stop!! ',
    'QUIT',
    'End',
    'revoke',
    'OPT OUT',
    'opt-out',
    'optout',
    'CANCEL',
  ],
  ...[
    'Unsubscribe',
    'STOPALL',
    'stop all',
    'Stop please',
    'please stop now, thanks',
    'STOP STOP STOP',
  ],
  ...['ALTO', 'PARAR', 'Detener', '¡BASTA!', 'para ya', 'No más', 'no more'],
  ...[
    'please stop calling me',
    'STOP TEXTING ME!!!',
    'Stop, I have a lawyer',
    'quit bothering me',
    'I told you to stop sending me these annoying text messages',
    'You did not stop calling me',
    'Stop! After three calls I have had enough',
    'I told you before: unsubscribe me',
  ],
  ...[
    "Don't call me anymore",
    'dont text',
    'I do not want any more calls',
    'Never contact me again',
  ],
  ...['I don’t want you to call me after today ever again', 'no more messages', 'not interested'],
  ...['Remove me from your list', 'take my number off', 'Delete my number', 'leave me alone'],
  ...['I revoke my consent', 'How do I opt out?', 'you have the wrong number'],
  ...['no me llamen más', 'Ya no me llamen', 'No quiero que me llamen', 'no quiero más mensajes'],
  ...['Por favor dejen de llamar', 'paren de mandarme mensajes', 'no vuelvan a llamarme'],
  ...['Quiten mi número de su lista', 'quiero darme de baja', 'número equivocado'],
])('"%s" revokes consent', (message) => {
  expect(revokesConsent(message)).toBe(true);
});

test.each([
  ...[
    '',
    'Yes',
    'Sí',
    'START',
    'UNSTOP',
    'Thank you',
    'ok',
    'Call me',
    'call me at 5 please',
    'Llámenme',
  ],
  ...[
    'Nobody has called me yet',
    'They did not call me',
    'I have not received a call',
    'no contact yet',
  ],
  ...['He ran a stop sign, please call me', 'The driver ran the stop sign while texting'],
  ...['He did not stop. Please text me', 'Can I stop by today? Call me'],
  ...['no problem, text me later', 'I ran a stop sign', 'Stop sign was ignored by the driver'],
  ...[
    'Please don’t stop calling, I want this',
    'why did you stop calling me',
    'They had to take me to the hospital',
  ],
  ...[
    "Don't call me before 5pm",
    'no me llamen hasta las 5',
    'No me han llamado',
    'no me llamó nadie',
  ],
  ...[
    'No dejen de llamarme',
    'at the end of the day',
    'I want to cancel my appointment with the doctor',
  ],
  ...[
    'el accidente fue para el trabajo',
    'no recibí ninguna llamada',
    'I do not know who will call',
  ],
])('"%s" does not revoke consent', (message) => {
  expect(revokesConsent(message)).toBe(false);
});

test('Twilio’s OptOutType STOP revokes whatever the words are, START and HELP do not', () => {
  expect(revokesConsent('arrêt', 'STOP')).toBe(true);
  expect(revokesConsent('start', 'START')).toBe(false);
  expect(revokesConsent('help', 'HELP')).toBe(false);
});

test('a long message is judged at once', () => {
  const started = performance.now();
  expect(revokesConsent(`${'stop all no more opt out '.repeat(5_000)}x`)).toBe(true);
  expect(revokesConsent(`${'all please ya '.repeat(20_000)}x`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(500);
});
