/** A page's question, with its answer as HTML. */
export type Question = { readonly question: string; readonly answer: string };

/**
 * Returns a page's questions: its third-level headings, each with the content up to the next heading.
 *
 * @param html from the build's Markdown, with headings of plain text
 * @param origin makes links within the site absolute, because search engines show the answer
 */
export function questionsOf(html: string, origin: string): readonly Question[] {
  return [...html.matchAll(/<h3[^>]*>(.*?)<\/h3>([\s\S]*?)(?=<h[23]|$)/g)].map(
    ([, question = '', answer = '']) => ({
      question,
      answer: answer.trim().replaceAll('href="/', `href="${origin}/`),
    }),
  );
}
