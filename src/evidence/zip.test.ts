import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Bytes, concat, utf8 } from './bytes.ts';
import { LARGEST_PACK, readZip, writeZip } from './zip.ts';

const files = new Map([
  ['log/head.jws', utf8('head')],
  ['manifest.json', utf8('{}')],
  ['a.txt', new Uint8Array()],
  ['signature.jws', utf8('..')],
]);

test('files are packed in one order, and read back', () => {
  const bytes = writeZip(files);
  expect([...readZip(bytes)]).toEqual([
    ['manifest.json', utf8('{}')],
    ['signature.jws', utf8('..')],
    ['a.txt', new Uint8Array()],
    ['log/head.jws', utf8('head')],
  ]);
  expect(writeZip(new Map([...files].reverse()))).toEqual(bytes);
});

const { error: withoutPython } = spawnSync('python3', ['--version']);
test.skipIf(withoutPython)('another program unpacks the same files: needs python3', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pack-'));
  try {
    writeFileSync(join(folder, 'pack.zip'), writeZip(files));
    const script = `import zipfile
with zipfile.ZipFile('pack.zip') as pack:
    assert pack.testzip() is None
    pack.extractall('out')`;
    execFileSync('python3', ['-c', script], { cwd: folder });
    expect(readFileSync(join(folder, 'out/log/head.jws'), 'utf8')).toBe('head');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['../up.txt'],
  ['/absolute.txt'],
  ['a/../../up.txt'],
  ['a//b.txt'],
  ['a/./b.txt'],
  ['folder/'],
  ['back\\slash.txt'],
  ['c:/windows.txt'],
  ['Capital.txt'],
  ['\u202etxt.exe'],
  ['-rf'],
  [''],
  ['a'.repeat(201)],
])('the name %j is refused', (name) => {
  expect(() => writeZip(new Map([[name, utf8('x')]]))).toThrow();
  expect(() => readZip(named(name))).toThrow();
});

test('a name that is also a folder, too many files and too many bytes are refused', () => {
  const both = new Map([...files, ['a.txt/b', utf8('x')] as const]);
  expect(() => writeZip(both)).toThrow('both a file and a folder');
  const many = Array.from({ length: 201 }, (_, at) => [`f${at}`, utf8('x')] as const);
  expect(() => writeZip(new Map(many))).toThrow('the number of files');
  expect(() => readZip(new Uint8Array(LARGEST_PACK + 1024 * 1024))).toThrow('too large');
  expect(() => writeZip(new Map())).toThrow('the number of files');
});

/** Makes a ZIP of one file by hand, with whatever fields. */
function handMade(name: Bytes, content: Bytes, change: (zip: DataView) => void = () => {}): Bytes {
  const base = writeZip(new Map([['x', content]]));
  const local = 30;
  const central = local + 1 + content.length;
  const zip = concat(
    base.slice(0, local),
    name,
    base.slice(local + 1, central + 46),
    name,
    base.slice(central + 47),
  );
  const view = new DataView(zip.buffer);
  const directory = central + name.length - 1;
  view.setUint16(26, name.length, true);
  view.setUint16(directory + 28, name.length, true);
  view.setUint32(zip.length - 10, 46 + name.length, true);
  view.setUint32(zip.length - 6, directory, true);
  change(view);
  return zip;
}
const named = (name: string) => handMade(utf8(name), utf8('x'));

test('the hand-made container is read as long as it is plain', () => {
  expect([...readZip(named('plain.txt')).keys()]).toEqual(['plain.txt']);
});

test('a bomb is refused before it is unpacked', () => {
  const zeros = new Uint8Array(deflateRawSync(Buffer.alloc(10_000_000)));
  const bomb = handMade(utf8('bomb'), zeros, (zip) => {
    zip.setUint16(8, 8, true);
    zip.setUint32(22, 10_000_000, true);
  });
  expect(() => readZip(bomb)).toThrow('compressed');
});

test.each<[string, (zip: DataView) => void]>([
  ['encrypted', (zip) => zip.setUint16(6, 1, true)],
  ['with a data descriptor', (zip) => zip.setUint16(6, 8, true)],
  ['with another time', (zip) => zip.setUint16(10, 1, true)],
  ['with another checksum', (zip) => zip.setUint32(14, 1, true)],
  ['with two sizes', (zip) => zip.setUint32(22, 2, true)],
  ['with a size beyond its end', (zip) => zip.setUint32(18, 0xffffffff, true)],
  ['with a name beyond its end', (zip) => zip.setUint16(26, 0xffff, true)],
  ['with an extra field', (zip) => zip.setUint16(28, 1, true)],
  ['with another name in the directory', (zip) => zip.setUint8(zip.byteLength - 23, 0x7a)],
  ['with another size in the directory', (zip) => zip.setUint32(zip.byteLength - 49, 2, true)],
  ['with another place in the directory', (zip) => zip.setUint32(zip.byteLength - 27, 1, true)],
  ['with another number of files', (zip) => zip.setUint16(zip.byteLength - 12, 2, true)],
  ['with a comment', (zip) => zip.setUint16(zip.byteLength - 2, 1, true)],
])('a container %s is refused', (_, change) => {
  expect(() => readZip(handMade(utf8('x'), utf8('x'), change))).toThrow();
});

test('gaps, second names, and files that the directory hides are refused', () => {
  const zip = writeZip(files);
  const start = zip.findIndex(
    (_, at) => String.fromCharCode(...zip.slice(at, at + 4)) === 'PK\x01\x02',
  );
  const local = writeZip(new Map([['x', utf8('x')]])).slice(0, 32);
  for (const between of [utf8('gap'), local, concat(local, local)]) {
    const wider = concat(zip.slice(0, start), between, zip.slice(start));
    const view = new DataView(wider.buffer);
    expect(() => readZip(wider)).toThrow();
    // With the end record pointing behind the gap.
    view.setUint32(wider.length - 6, start + between.length, true);
    expect(() => readZip(wider)).toThrow();
  }
  expect(() => readZip(concat(zip, zip))).toThrow();
});
