const LINE_BREAK = 0x0a;

/**
 * Makes the check whether a name is in a long list. The list is kept as its text, one name a line in
 * order, outside the garbage collector's heap, and searched by halves: as a `Set` the 121,000
 * disposable domains take 7 MB, and every full collection walks all of them.
 *
 * @param names without line breaks
 */
export function createNameList(names: readonly string[]): (name: string) => boolean {
  const text = Buffer.from(['', ...names.toSorted(), ''].join('\n'));
  return (name) => {
    // The name is between these two line breaks, if it is there.
    let low = 0;
    let high = text.length - 1;
    while (low < high) {
      const start = text.lastIndexOf(LINE_BREAK, (low + high) >> 1);
      const end = text.indexOf(LINE_BREAK, start + 1);
      const line = text.toString('utf8', start + 1, end);
      if (line === name) return true;
      if (line < name) low = end;
      else high = start;
    }
    return false;
  };
}
