/** A question of a page with its answer as HTML. */
export type Question = { readonly question: string; readonly answer: string };

/**
 * The questions of a page: its third-level headings, each with what follows up to the next heading.
 *
 * @param html of the build's Markdown, whose headings have no markup but entities in them
 * @param origin put before links within the site, since the answer is read elsewhere
 */
export function questionsOf(html: string, origin: string): readonly Question[] {
  return [...html.matchAll(/<h3[^>]*>(.*?)<\/h3>([\s\S]*?)(?=<h[23]|$)/g)].map(
    ([, question = '', answer = '']) => ({
      question,
      answer: answer.trim().replaceAll('href="/', `href="${origin}/`),
    }),
  );
}
