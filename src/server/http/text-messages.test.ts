import { expect, test } from 'vitest';
import { expectProblem, testApp } from '../../../tests/support/app.ts';
import { signedMessage } from '../../../tests/support/text-message.ts';
import { twilioSignature } from './text-messages.ts';

const token = 'the-auth-token-of-the-tests';
const publicUrl = 'https://claims.example.com';
const url = `${publicUrl}/sms/twilio`;
const env = { TWILIO_AUTH_TOKEN: token, PUBLIC_URL: publicUrl };
const stop = { From: '+15125550123', Body: 'STOP', MessageSid: 'SM1', OptOutType: 'STOP' };

test('a signature is that of the example in Twilio’s documentation', () => {
  const fields = Object.entries({
    To: '+18005551212',
    From: '+14158675309',
    Digits: '1234',
    Caller: '+14158675309',
    CallSid: 'CA1234567890ABCDE',
  });
  const example = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  expect(twilioSignature('12345', example, fields).toString('base64')).toBe(
    'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
  );
});

test('a signed message is taken, and answered with an empty TwiML', async () => {
  const { app, useCases, lines } = await testApp({ env });
  const answer = await app.inject({ method: 'POST', ...signedMessage({ token, url }, stop) });
  expect(answer).toMatchObject({
    statusCode: 200,
    body: '<?xml version="1.0" encoding="UTF-8"?><Response></Response>',
  });
  expect(answer.headers['content-type']).toBe('text/xml; charset=utf-8');
  expect(useCases.takeStop.mock.calls).toEqual([['+15125550123']]);
  expect(lines.join()).not.toMatch(/5550123|STOP/);
});

test.each([
  ['of another token', { token: 'another-token', url }],
  ['of another address', { token, url: 'https://other.example.com/sms/twilio' }],
  ['that is missing', undefined],
])('a message with a signature %s is refused', async (_, by) => {
  const { app, useCases } = await testApp({ env });
  const signed = signedMessage(by ?? { token, url }, stop);
  const headers = by ? signed.headers : { 'content-type': signed.headers['content-type'] };
  const answer = await app.inject({ method: 'POST', ...signed, headers });
  expectProblem(answer, 403, 'not_allowed');
  expect(useCases.takeStop).not.toHaveBeenCalled();
});

test.each([
  ['of a number in Norway', { ...stop, From: '+4752345678' }],
  ['of a short code', { ...stop, From: '12345' }],
  ['with other words', { ...stop, Body: 'Call me', OptOutType: '' }],
])('a message %s suppresses nobody', async (_, message) => {
  const { app, useCases } = await testApp({ env });
  const answer = await app.inject({ method: 'POST', ...signedMessage({ token, url }, message) });
  expect(answer.statusCode).toBe(200);
  expect(useCases.takeStop).not.toHaveBeenCalled();
});

test('a changed message is refused', async () => {
  const { app } = await testApp({ env });
  const signed = signedMessage({ token, url }, stop);
  const payload = signed.payload.replace('5550123', '5550124');
  expectProblem(await app.inject({ method: 'POST', ...signed, payload }), 403, 'not_allowed');
});

test('messages of other types and sizes are refused', async () => {
  const { app, post } = await testApp({ env });
  expectProblem(await post('/sms/twilio', stop), 415, 'unsupported_media_type');
  const large = signedMessage({ token, url }, { ...stop, Body: 'x'.repeat(70_000) });
  expectProblem(await app.inject({ method: 'POST', ...large }), 413, 'too_large');
});

test('without TWILIO_AUTH_TOKEN there is no such address', async () => {
  const { app } = await testApp({ env: { PUBLIC_URL: publicUrl } });
  const answer = await app.inject({ method: 'POST', ...signedMessage({ token, url }, stop) });
  expect(answer.statusCode).toBe(404);
});
