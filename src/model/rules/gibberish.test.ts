import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isGibberish } from './gibberish.ts';

const lines = (text: string): string[] =>
  text
    .split(/\n|\|/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const english = lines(`
  I was stopped at a red light and got rear ended by a truck, my neck and back hurt.
  he ran the stop sign n hit my drivers side door, airbags deployed
  MVA 3/14, C5-C6 herniation, L4-L5 bulge, ACDF recommended by ortho.
  Uber passenger. Driver ran a red and we got hit by a Dodge Ram.
  Someone sideswiped me on the Schuylkill Expressway and kept going
  The brakes failed on a dump truck and it plowed into six of us.
  rear end collision, neck pain, lower back pain, physical therapy
  i got hit hella hard yo, my back been killin me eva since
  I was a passenger on the CTA bus when it collided with a garbage truck
  Ligament tears (ACL & MCL), meniscus surgery scheduled for Thursday.
  The accident happened on 06/11/2024 at approx 5:45 pm on Rt 9 N.
  Rollover crash, ejected, coma for nine days, traumatic brain injury
  plz help me i got hit by a car n cant wrk no mo
  Sciatica, radiculopathy, tingling in both legs, nerve block injections
`);

const spanish = lines(`
  Me chocaron por detrás en un semáforo y me duele el cuello y la espalda.
  estaba parada en la luz roja i me pegaron atras
  Me atropellaron cruzando la calle, tengo fractura de tibia y peroné
  mi esposo y yo fuimos chocados por un camión de carga en la I-35
  El conductor del bus frenó de golpe y me caí, me fracturé la muñeca
  Estaba estacionado en el parqueo de Publix y me dieron por detras
  nos chocaron ayer en la noche en Houston Texas mi mama esta grave
  Chocaron mi troca mientras estaba parado esperando dar vuelta a la izquierda
  Resbaló en el hielo y se me vino encima, mi Toyota Camry quedó pérdida total
  Soy peatón, me arrolló un taxista en la avenida Roosevelt, Queens
  Ezequiel Xicoténcatl Ochoa me chocó con su Chevrolet Silverado
  ME PEGARON BIEN FEO EN EL FREEWAY 10 I NO PUEDO MOVER EL BRASO
  toy adolorio del espinazo desde el chokazo
  ke me choko una ruka y ni se vajo
`);

const mash = lines(`
  asdf asdf asdf asdf asdf | qwerty qwerty qwerty qwerty
  jkljkl jkljkl jkljkl jkljkl | wefwef wefwefwe fwefwef wefwe
  ghjghjghj ghjghj ghjghj tyutyu | fghfgh fghfg hfghfghf ghfgh
  kjsdhf ksjdhf skjdhfk sjdhfksjdhf | hjkhjk hjkhjkh jkhjkhjk hjk
  sdlkfj sldkfj sldkfj lskdfj lskdjf | eiruty eirutyeir utyeiru tyeiruty
  ;lkj;lkj ;lkj;lkj ;lkj;lkj ;lkj | xxxxxxxx xxxxxxx xxxxxxxx xxxxx
  qpwoeiruty qpwoeiruty qpwoei ruty | gkjhgkjh gkjhgkjhg kjhgkjhg kjhg
  trewq trewq trewq trewqtrewq | plokij plokijuh plokijuhygt plokij
  cvbcvb cvbcvbcv bcvbcvb cvbcv | jfkdjfkd jfkdjfkdj fkdjfkdj fkdj
  skdjfn skdjfnksdjfn skdjfn ksjdfn | gfdgfd gfdgfdgf dgfdgfd gfdgf
  bfjdbf jdbfjdbf jdbfjd bfjdb fjdbf | qazwsx edcrfv tgbyhn ujmikl
  12345678901234567890 1234 5678 90 | blah blah blah blah blah blah
  tfgvhb tfgvhbj tfgvhb jtfgvh | dfjkghdfjkgh sdjfhsdkjfh weoiruweoi xcmnvbxcm
  fffff ggggg hhhhh jjjjj kkkkk
`);

it.each([...english, ...spanish])('isGibberish is false for the honest description: %s', (text) => {
  expect(isGibberish(text)).toBe(false);
  expect(isGibberish(text.toUpperCase())).toBe(false);
});

it('isGibberish is true for at least 95 % of random typing', () => {
  const missed = mash.filter((text) => !isGibberish(text));
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(Math.floor(mash.length * 0.05));
});

it.each(['asdasd asdasd asdasd', 'qweasd qweasd qweasd zxc', 'poipoi poipoi poipoi poi'])(
  'isGibberish is true for words of neighbouring keys: %s',
  (text) => expect(isGibberish(text)).toBe(true),
);

it('isGibberish takes time in proportion to the length of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => typeof isGibberish(text) === 'boolean'),
  );
  isGibberish('ab'.repeat(200_000));
  isGibberish('asd '.repeat(25_000));
});
