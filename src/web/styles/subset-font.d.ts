declare module 'subset-font' {
  const subset: (font: Buffer, letters: string, options: object) => Promise<Buffer>;
  export default subset;
}
