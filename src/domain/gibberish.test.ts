import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGibberish } from './gibberish.ts';

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const english = lines(`
  I was stopped at a red light and got rear ended by a truck, my neck and back hurt.
  Rear-ended on I-95 near exit 12 by a distracted driver who was texting.
  he ran the stop sign n hit my drivers side door, airbags deployed
  Other driver T-boned me at the intersection of MLK Blvd and 5th St.
  GOT HIT FROM BEHIND WHILE WAITING TO TURN LEFT. WHIPLASH AND CONCUSSION.
  i wuz drivin home frm wrk n dis lady hit me
  Semi jackknifed on the interstate and took out four cars including mine.
  MVA 3/14, C5-C6 herniation, L4-L5 bulge, ACDF recommended by ortho.
  My daughter Nevaeh and I were hit by an Amazon van in the Kroger parking lot.
  Uber passenger. Driver ran a red and we got hit by a Dodge Ram.
  hit by a drunk drivr on new years eve, totalled my Nissan Altima
  pt c/o LBP and HA s/p MVC, restrained driver, no LOC, CT neg
  Motorcycle vs SUV. Road rash, broken clavicle, fractured tibia and fibula.
  Someone sideswiped me on the Schuylkill Expressway and kept going
  I was crossing Flatbush Ave in the crosswalk when a cab turned into me.
  bumped from behind, hurts when I turn my head, doc says sprained
  The brakes failed on a dump truck and it plowed into six of us.
  woke up in the ambulance dont remember nothing
  lyft driver fell asleep and we hit a guardrail
  t boned by a kid in a mustang, spun me 180, hit a pole
  rear end collision, neck pain, lower back pain, physical therapy
  car accident neck back shoulder
  whiplash, headaches, numbness in fingers, cant sleep
  Bicyclist doored on Valencia St, scaphoid fracture, stitches in chin
  An 18 wheeler merged into my lane and pushed me off the road into a ditch.
  my hubby n i wer hit head on by wrong way driver on hwy 49
  Guy in a lifted F150 backed into me at Wawa. My wrist is messed up
  i got hit hella hard yo, my back been killin me eva since
  dude blew thru the light goin like 60 smh totaled my whip
  She was putting on makeup and smashed into us.
  Hit on passenger side. Wife has TBI and PTSD. Son's femur broke.
  Slammed brakes black ice pileup near Cheyenne Wyoming
  A deer jumped out, the car ahead braked, I was struck from behind.
  Mr. Nguyen's Hyundai Elantra crossed the yellow line & clipped my Subaru.
  I was a passenger on the CTA bus when it collided with a garbage truck
  Jose Gutierrez-Szczepanski hit me with his Volkswagen Jetta in Poughkeepsie
  Ligament tears (ACL & MCL), meniscus surgery scheduled for Thursday.
  fender bender but my knee popped and swelled up
  Tractor trailer blew a tire and the debris went thru my windshield.
  was hit by police cruiser during a chase in Albuquerque
  neighbor backed out driveway over my foot, crushed metatarsals
  Accdent on the frway, the othr car chngd lanes w/out lookin
  i wsa rera ended adn teh other gyu left
  red lite runner, my car is total loss, ribs bruised
  Delivery scooter knocked me down outside Trader Joes.
  my moms car got hit i was in back seat, hit my head on window
  Drunk driver hit us at 2am. Sister airlifted to Vanderbilt. She coded twice.
  The accident happened on 06/11/2024 at approx 5:45 pm on Rt 9 N.
  forklift driver at Home Depot lot ran into my parked car with me inside
  hydroplaned into me during thunderstorm on the turnpike
  Kawasaki Ninja, left turning Chevy Tahoe, thrown 40 ft
  Suffered a compression fracture of T12, kyphoplasty done at Mayo.
  I dont kno what happend all i remembr is a loud bang
  he was on his phone
  Rollover crash, ejected, coma for nine days, traumatic brain injury
  Hit by taxi in Times Square, sprained ankle & torn labrum
  snow plow struck my vehicle, spinal stenosis aggravated
  BROKEN PELVIS, PUNCTURED LUNG, 3 SURGERIES, STILL CANT WALK
  Golf cart accident in The Villages, dislocated shoulder
  UPS truck cut me off, swerved, hit the median
  pinned between two cars at a Sonic drive-in
  plz help me i got hit by a car n cant wrk no mo
  im in so muchhhh pain since the crash omg
  Sciatica, radiculopathy, tingling in both legs, nerve block injections
  Tesla on autopilot rammed my Corolla on the 405
  Lowspeed impact but aggravated my previous laminectomy
`);

const spanish = lines(`
  Me chocaron por detrás en un semáforo y me duele el cuello y la espalda.
  Iba manejando a mi trabajo cuando un troque se pasó el alto y me pegó.
  estaba parada en la luz roja i me pegaron atras
  El otro carro se paso la luz roja y me golpeo del lado del chofer
  CHOQUE EN LA AUTOPISTA, ME LLEVARON EN AMBULANCIA AL HOSPITAL JACKSON
  un borracho me pego de frente y se dio ala fuga
  Me atropellaron cruzando la calle, tengo fractura de tibia y peroné
  venia del walmart y una señora me choco
  mi esposo y yo fuimos chocados por un camión de carga en la I-35
  me dolio mucho la kbeza y el cueyo, no e podido trabajar
  iva en mi vicicleta i me tumbo un carro
  Accidente en la 95 norte, tres carros, me duele la rodilla
  Fui pasajera de Uber, el conductor chocó contra un poste.
  tengo hernia en el disco L5 S1 por el choque
  El conductor del bus frenó de golpe y me caí, me fracturé la muñeca
  xq el otro no miro y me dio x el lado del pasajero
  Un muchacho texteando me impactó por atrás en Kissimmee
  Mi niña de 4 años se golpeó la frente con el asiento
  el troquero se durmio y nos saco de la carretera
  latigazo cervical, mareos, dolor lumbar, terapia 3 veces por semana
  dolor de cuello y espalda
  Estaba estacionado en el parqueo de Publix y me dieron por detras
  Me rebasó por la derecha y me cerró el paso, terminé en la cuneta
  se bolo el alto y me pego en la puerta
  volcadura en la carretera a Fresno, brazo quebrado, costillas rotas
  nos chocaron ayer en la noche en Houston Texas mi mama esta grave
  Una patrulla me embistió persiguiendo a un sospechoso.
  la aseguranza no me quiere pagar y sigo con dolor
  Ando con el hombro zafado desde que me chocaron el 12 de agosto
  iba en la moto de mi primo y una guagua se nos atravesó
  Trabajo en construcción y el montacargas me aplastó el pie
  Chocaron mi troca mientras estaba parado esperando dar vuelta a la izquierda
  no me acuerdo solo senti el golpazo
  me pego una van de amazon saliendo de mi casa
  Quedé inconsciente, desperté en terapia intensiva con seis puntos
  el sr iva tomado y no traiva licencia
  Perdí el bebé a consecuencia del impacto.
  Resbaló en el hielo y se me vino encima, mi Toyota Camry quedó pérdida total
  me dieron un golpe en el xfinity parking lot
  Soy peatón, me arrolló un taxista en la avenida Roosevelt, Queens
  dolor en la sintura y las piernas se me duermen
  desgarre de menisco, operación de rodilla, sin poder caminar bien
  chocamos porque el de adelante se freno derrepente
  Ezequiel Xicoténcatl Ochoa me chocó con su Chevrolet Silverado
  Mi suegra iba atrás sin cinturón y se quebró la cadera
  traumatismo craneoencefálico y politraumatismos
  ME PEGARON BIEN FEO EN EL FREEWAY 10 I NO PUEDO MOVER EL BRASO
  pos yo iva bien tranquilo y zas q me dan
  Carambola de ocho vehículos por la neblina en el puente de Tampa
  me tumbaron de mi scooter y se fueron, tengo raspones y la nariz rota
  vidrios en el ojo, visión borrosa, migrañas
  El chófer venía a exceso de velocidad y se subió a la banqueta
  toy adolorio del espinazo desde el chokazo
  Sufrimos un percance con un tráiler que perdió una llanta
  me chocó un menor sin licencia, era hijo del dueño del Mustang
  operada de la columna, tornillos y placas, incapacitada
  ke me choko una ruka y ni se vajo
  Impacto lateral izquierdo, bolsas de aire activadas, esguince
  yo solo keria yegar a mi casa y me pegaron
  accidente de carro el mes pasado
  lesiones en cervical y lumbar, quiropráctico diario
`);

const mash = lines(`
  asdf asdf asdf asdf asdf
  asdfghjkl qwertyuiop zxcvbnm asdfgh
  qwerty qwerty qwerty qwerty
  fjdksl fjdksla fjdksl vncmx
  hgfhgf jhgjhg kjhkjh lkjlkj hgfd
  sdfsdf sdfsdf sdfsdfsdf sdfsdf
  aaaaaaaaaa aaaaaaaa aaaaaaaaa aaaaaa
  jkljkl jkljkl jkljkl jkljkl
  dkfjghdkjfhg kdjfhgkjdfh gkjdhfgkjdhfg kjdhfg
  xcvxcv xcvxcvx cvxcvxcv xcvx
  lkjhgfdsa poiuytrewq mnbvcxz lkjhg
  wefwef wefwefwe fwefwef wefwe
  qweqwe asdasd zxczxc qweasd
  ghjghjghj ghjghj ghjghj tyutyu
  dsfjkl sdfkjl sdfkljs dfklj sdfklj
  bvnbvn vbnvbnv nbvnbv nvbnvb
  rtyrty rtyrtyrt yrtyrty rtyrt
  fghfgh fghfg hfghfghf ghfgh
  zxcv zxcv zxcv zxcv zxcv
  uiouio uiouiouio uiouio uiouio
  kjsdhf ksjdhf skjdhfk sjdhfksjdhf
  ajskdl ajskdlf jaksld fjaksl
  hjkhjk hjkhjkh jkhjkhjk hjk
  wqeqwe wqewqe wqeqweqw ewqe
  sdlkfj sldkfj sldkfj lskdfj lskdjf
  fdgdfg dfgdfgdf gdfgdfg dfgdf
  eiruty eirutyeir utyeiru tyeiruty
  nmbnmb nmbnmbn mbnmbnm bnmb
  ;lkj;lkj ;lkj;lkj ;lkj;lkj ;lkj
  sdgsdg sdgsdgsd gsdgsdgs dgsdg
  xxxxxxxx xxxxxxx xxxxxxxx xxxxx
  jjjjjjjj kkkkkkkk llllllll hhhhhhh
  ashdjkashd jkashdjka shdjkashd jkash
  qpwoeiruty qpwoeiruty qpwoei ruty
  vbghtyn vbghtyn vbghty nvbght
  gkjhgkjh gkjhgkjhg kjhgkjhg kjhg
  djfhgb djfhgb djfhgbd jfhgb
  trewq trewq trewq trewqtrewq
  yuiyui yuiyuiyu iyuiyui yuiyu
  plokij plokijuh plokijuhygt plokij
  asdkjh asdkjhas kdjhaskjd haskjdh
  cvbcvb cvbcvbcv bcvbcvb cvbcv
  dfgh dfgh dfgh dfgh dfgh
  jfkdjfkd jfkdjfkdj fkdjfkdj fkdj
  wertwert wertwert wertwert wert
  mnbmnb mnbmnbmn bmnbmnb mnbmn
  skdjfn skdjfnksdjfn skdjfn ksjdfn
  zzzzzz xxxxxx cccccc vvvvvv
  gfdgfd gfdgfdgf dgfdgfd gfdgf
  hdhdhd jdjdjd kdkdkd ldldld
  bfjdbf jdbfjdbf jdbfjd bfjdb fjdbf
  xkcjvb xkcjvbxkc jvbxkcjv bxkcjvb
  qazwsx edcrfv tgbyhn ujmikl
  qwrtpsdfg hjklzxcv bnmqwrt psdfg
  12345678901234567890 1234 5678 90
  !!!!!! ?????? ...... ------ !!!!
  blah blah blah blah blah blah
  jsjsjs jsjsjsjs jsjsjs jsjsjsj
  vhjkvhjk vhjkvhj kvhjkvhj kvhjk
  tfgvhb tfgvhbj tfgvhb jtfgvh
  ioioioio ioioioi oioioioi oioio
  dfjkghdfjkgh sdjfhsdkjfh weoiruweoi xcmnvbxcm
  kdkdkskd jdkskdj ksjdksjd ksjdks
  fffff ggggg hhhhh jjjjj kkkkk
`);

describe('isGibberish', () => {
  it('has enough distinct samples', () => {
    expect(english.length + spanish.length).toBeGreaterThanOrEqual(120);
    expect(mash.length).toBeGreaterThanOrEqual(60);
    expect(new Set([...english, ...spanish, ...mash]).size).toBe(
      english.length + spanish.length + mash.length,
    );
  });

  it.each([...english, ...spanish])('passes an honest description: %s', (text) => {
    expect(isGibberish(text)).toBe(false);
    expect(isGibberish(text.toUpperCase())).toBe(false);
  });

  it('passes every four consecutive words of an honest description', () => {
    const flagged = [...english, ...spanish].flatMap((text) => {
      const words = text.split(/\s+/);
      return words
        .map((_, at) => words.slice(at, at + 4).join(' '))
        .filter((part) => part.split(' ').length === 4 && isGibberish(part));
    });
    expect(flagged).toEqual([]);
  });

  it('catches at least 95 % of keyboard mash', () => {
    const missed = mash.filter((text) => !isGibberish(text));
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(Math.floor(mash.length * 0.05));
  });

  it('catches random consonants', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: fc.constantFrom(...'sdfghjklxcvbnm'), minLength: 6, maxLength: 10 }),
          {
            minLength: 4,
            maxLength: 8,
          },
        ),
        (words) => isGibberish(words.join(' ')),
      ),
    );
  });

  it('passes nonsense beside a real statement, other scripts and empty text', () => {
    expect(isGibberish('asdfgh he hit my car from behind qwerty')).toBe(false);
    expect(isGibberish('我在红灯前停车时被后面的车撞了')).toBe(false);
    expect(isGibberish('Меня сбила машина на перекрестке')).toBe(false);
    expect(isGibberish('')).toBe(false);
  });

  it('never throws and stays quick on hostile input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => typeof isGibberish(text) === 'boolean'),
    );
    // In more than linear time these would exceed the test's time-out.
    isGibberish('ab'.repeat(200_000));
    isGibberish('asd '.repeat(25_000));
  });
});
