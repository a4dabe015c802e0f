/**
 * Returns where to go after the sign-in: the address that was asked for if it is a page of the console, else the
 * overview. A link on another site could otherwise send a freshly signed-in operator anywhere.
 *
 * @returns an absolute address, because a path such as `//evil.example` leads to another host
 */
export function safeAddress(asked: string | undefined, origin: string): string {
  const home = `${origin}/`;
  if (!asked?.startsWith('/') || !URL.canParse(asked, origin)) return home;
  const { origin: found, pathname, href } = new URL(asked, origin);
  const isPage = found === origin && !/^\/(?:api|sign-in)(?:\/|$)/.test(pathname);
  return isPage ? href : home;
}
