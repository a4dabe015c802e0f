import { twilioSignature } from '../../src/server/http/text-messages.ts';

/** Returns a request with a text message, as Twilio signs and sends it. */
export function signedMessage(
  { token, url }: { readonly token: string; readonly url: string },
  fields: Readonly<Record<string, string>>,
) {
  const signature = twilioSignature(token, url, Object.entries(fields));
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signature.toString('base64'),
  };
  return { url: '/sms/twilio', headers, payload: new URLSearchParams(fields).toString() };
}
