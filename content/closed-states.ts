/** What the privacy policy says about states whose rules restrict the sale of leads. */
export const closedStatesPolicy = {
  en: {
    named:
      'What you send from {states} goes only to a law firm that you chose by name. If you chose none, no firm gets it, and the page tells you.',
    none: 'What you send from {states} goes to no law firm, and the page tells you.',
  },
  es: {
    named:
      'Lo que envía desde {states} va solo a un bufete que usted eligió por nombre. Si no eligió ninguno, ningún bufete lo recibe, y la página se lo dice.',
    none: 'Lo que envía desde {states} no va a ningún bufete, y la página se lo dice.',
  },
} as const;
