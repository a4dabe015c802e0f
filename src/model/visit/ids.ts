/** Returns a new UUID (RFC 9562, version 7). */
export function uuidV7(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  const random = randomHex();
  const variant = '89ab'.charAt(Number.parseInt(random.charAt(0), 16) % 4);
  return [
    ...[time.slice(0, 8), time.slice(8), `7${random.slice(1, 4)}`],
    ...[variant + random.slice(4, 7), random.slice(7, 19)],
  ].join('-');
}

/** Returns 32 random hex digits. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
