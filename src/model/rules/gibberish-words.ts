/**
 * Training words of the gibberish check: common words of both languages and the vocabulary of
 * accidents, in lower case without accents. Server only.
 */
export const englishWords: readonly string[] = `
a about above accident accidents across actually after again against ago ahead aid air airbag airbags
alcohol all almost alone along already also always am ambulance an and angle ankle another any anymore
anyone anything apartment appeared appointment approached are area arm arms around arrived as asked
asleep at ate attention attorney aunt auto avenue avoid aware away awful baby back backed backing backwards
bad badly bag bags ball bank barely barrier be became because bed been before began behind being believe
belt bent beside best better between bicycle big bike bill bills bit black blacked bleeding blew blind
blinker block blood blown blue body bone bones both bottom boulevard box boy boyfriend brain brake braked
brakes braking branch break breath breathe breathing bridge bring broke broken brother brought bruise
bruised bruises bruising build building bumper bumpers burned burning bus busy but buy by call called
calls came camera can cannot car care cars case caught cause caused causing cell center chair change
changed changing charge chest child children chiropractor church city claim cleaning clear cleared clearly
client clinic clipped close closed clothes coffee cold collarbone collided collision color come coming
commercial company compact complete completely concussion condition construction contact control cop cops
corner cost could county couple course court covered crash crashed crashing crazy cross crossed crossing
crosswalk curb cut cuts cutting cyclist dad damage damaged damages danger dangerous dark date daughter
day days dead deal dealing debris deep delivery demolished denied dented department deployed depressed did
died different direction directly disc discs dislocated distance distracted ditch dizzy do doctor doctors
does dog doing done door double down downtown drive driven driver drivers drives driving drop dropped drove
drunk due during each ear early easy eat eight either elbow eleven else emergency employee empty end ended
engine enough entered entering er even evening ever every everyone everything everywhere exam exchange
exchanged exit exiting expenses explain extreme eye eyes face facing fact failed fall falling family far fast
father fault fault feel feeling feet fell felt few field fifteen figure filed financial find fine finger
fingers fire first five fix flat flew flipped floor fly flying follow followed following food foot for force
forced ford forward found four fracture fractured freeway friday friend friends from front full further
garage gas gave get gets getting girl girlfriend give given giving glass go goes going gone good got grandma
grass gray great green grocery ground guess guy hand hands happen happened happening hard has have having he
head headache headaches headed heading headlights health hear heard heart heavy held hello help helped her
herniated here hernia high highway hill him hip his hit hits hitting hold home honda hope horn hospital
hospitalized hour hours house how huge hundred hurry hurt hurting hurts husband hydroplaned i ice icy
identified if impact important in incident info information injured injuries injury inside instead insurance
intersection into involved is issue it items its itself jacket january jeep job july jumped june just keep
keeps kept kicked kid kids kind knee knees knew knocked know lady lady land lane lanes large last late later
law lawyer laying lead learn leave leaving left leg legs legally less let license lift ligament light lights
like limited line lip list little live living located location long look looked looking lost lot lots loud
low lower lunch lying machine made main make making man manager many march mark market massive matter may
maybe me mean medical medication medicine meeting memory men merge merged merging message middle might mile
miles mine minivan minor minute minutes mirror miss missed missing mom moment monday money month months more
morning most mother motor motorcycle mouth move moved moving mph much muscle muscles music must my myself
name narrow near nearly neck need needed needs neighbor neighborhood nephew nerve nervous never new next
night nine no nobody none noon normal north nose not nothing notice noticed now number numb numbness nurse
object occurred october of off office officer often oh oil okay old on once oncoming one only onto open opened
opposite or orange order other others our out outside over own owner paid pain painful pains panic parked
parking part parts party pass passed passenger passengers passing past patient pavement pay paying pedestrian
people percent perfect permanent person phone photos physical pick picked pickup picture pictures piece pieces
pillar pinched place plate plates please pole police pool porch possible post pothole prescribed pressure
pretty privacy probably problem problems properly property pull pulled pulling push pushed pushing put quick
quickly quit rain raining rainy ramp ran range rather reached react reaction reading real really rear rearended
reason received recently records red reduced referred refused relax released remember rental repair report
reported rest resulted return returning ribs ride rider riding right ringing risk road roads rod roll rolled
rolling roof room rotator route run running rush sad safe said same sat saturday save saw say saying says scan
scar scared scars scene school scooter scraped scratched screaming screws seat seatbelt seats second seconds
security see seeing seem seemed seen semi send sent serious seriously seven several severe severely she shirt
shoes shock shop shopping short shot should shoulder shoulders showed shut side sidewalk sideways sideswiped
sign signal signs since sister sit sitting situation six skid skidded sleep sleeping slid slight slightly slip
slow slowed slowing slowly small smashed smoke snow so soft some someone something sometimes son soon sore
soreness sorry sort sound south spasms speak specialist speed speeding spinal spine split spoke spot sprain
sprained spun stairs stand standing start started state statement station stay stayed steering still stitches
stomach stop stopped stopping stopsign store straight strained street stress stretch strong struck stuck stuff
such sudden suddenly suffer suffered suffering summer sun sunday supposed sure surgery surgeries suv swelling
swerved swollen take taken taking talk talking taxi teeth tell ten tendon terrible text texting than thank
thanks that the their them themselves then therapy there these they thing things think third thirty this those
though thought thousand three threw through throwing thrown thumb thursday ticket time times tingling tire
tired tires to today toes together told tomorrow tonight too took tooth top torn total totaled totalled touch
toward towards tow towed town toyota traffic trailer train transferred transported trauma travel traveling
treated treatment tree tried trouble truck trucks true trunk trying tuesday turn turned turning twelve twenty
twice two uber uncle under underneath unable unconscious understand uninsured university unsafe until up
upper upset us use used using vehicle vehicles very video visit visits waist wait waiting wake walk walked
walking wall want wanted was wash watching water way we wearing weather wednesday week weekend weeks weight
well went were west wet what wheel wheels when where which while whiplash white who whole why wife will wind
window windshield winter with within without witness witnesses woke woman women wood words wore work worked
working worse worst would wrecked wreck wrist wrong xray yard yeah year years yellow yelled yes yesterday yet
yield you young your
`
  .trim()
  .split(/\s+/);

export const spanishWords: readonly string[] = `
a abajo abierta abogado abri abrio accidente accidentes acera ademas adelante adentro adolorido aeropuerto
afuera agua ahi ahora al alcance alguien algo algun alguna algunos alla alli alta alto amarilla ambulancia
amiga amigo andaba antes ano anos aparecio apenas aquel aquella aqui arriba arrollo aseguranza asiento asi asustada
asustado atencion atras atropello aun aunque auto autobus automovil autopista aventando aventó avenida ayer
ayuda ayudar bache bajaba bajo banqueta barrera bastante bebe bien bicicleta bloque boca bolsa bolsas borracho
brazo brazos brinco bueno buena busco cabeza cada cadera caer cai caida caja calle callejon cama camara cambiar
cambio camino caminaba caminando camion camioneta carga carretera carril carriles carro carros casa casi caso
causa causo cayo cerca cerrada chico chica chocado chocamos chocando chocar chocaron choco choque chofer cien
cinco cintura cinturon cirugia ciudad claro clavicula clinica coche coches codo columna como compania completo
con conducia conducir conductor conductora conmigo contra control contusion corazon corte cosa cosas costado
costillas creo cruce cruzaba cruzando cruzar cruzo cual cualquier cuando cuanto cuatro cuello cuenta cuerpo
cuidado culpa da daba dano danos dar de debajo debido debil decia decir dedo dedos dejar dejo del delante
demasiado dentro depresion derecha derecho desde despues detras dia dias dice diciembre dieron diez diferente
dijeron dijo dinero dio direccion disco discos distraida distraido doblar doblo doctor doctores dolia dolor
dolores domingo don donde dormir dos duele duelen duro durante edad edificio el ella ellas ellos embarazada
embistio embargo emergencia emergencias empece empezo empleo empujo en encima encontre enero enfrente enojado
entonces entraba entrada entrar entro era eran es esa escuela ese eso espalda espero esperando esposa esposo
esquina esta estaba estaban estabamos estacionada estacionado estacionamiento estado estamos estan estar este
esto estoy estuve estuvo extremo familia febrero fin fondo fractura fracturada fracturas fracturo frenar frene
frenada freno frenos frente fue fueron fuera fuerte fui fuga gasolina gente golpe golpeado golpeando golpear
golpearon golpeo golpes gracias grande grave gris grito grua grave gusta ha haber habia hablando hablar hace
hacer hacia haciendo hasta hay he hecho herida heridas herido hermana hermano hernia hice hicieron hija hijo
hijos hizo hombre hombro hombros hora horas hospital hoy hubo huesos hueso huyo iba iban ibamos identifico
impacto informacion inmediato interestatal interseccion invadio ir izquierda izquierdo jueves jugando julio
junio junto la lado lados larga largo las lastimada lastimado lastimo lateral latigazo le lejos lentamente les
lesion lesiones levantar licencia ligamento linea llamamos llamar llamaron llame llamo llanta llantas llega
llegar llego llegue lleva llevaba llevar llevaron lleve llorar lluvia lloviendo lo los luego lugar lunes luz
madre mal mama manana manejaba manejando manejar mando mano manos marido martes marzo mas mayor mayo me mecanico
media medica medicina medicamento medicas medico medio mejor menos mensaje mes meses metio mi miedo mientras
miercoles milla millas minuto minutos mio mis misma mismo momento moretones morado moto motocicleta motor mover
mucha muchas mucho muchos mujer muneca murio musculo muy nada nadie nariz necesito negro negra nervio nervios
nina nino ninos ni ningun ninguna no noche norte nos nosotros noviembre nueva nuevo nunca o octubre ocupado oido
ojo ojos operacion operaron otra otras otro otros padre pagar pago papa papeles para parabrisas parada parado
parar pararse pare pared parque parqueo parte partes pasajera pasajero pasajeros pasado pasando pasar pasaba paso
pecho pedazos peor pequeno perdi perdida perdio pero perro persona personas pie piel pierna piernas piso placa
placas poco poder podia policia policias poner por porque poste precaucion pregunto presion primera primero pronto
problema problemas puede puedo puente puerta pues pulmon punto puse puso que quebrada quebrado quebro quedar quede
quedo quemaduras queria quien quienes quiere quiero quinta quiropractico radiografia rapido rato razon recibi recibio
recto recuerdo recuperar rehabilitacion reporte repente respirar respeto resulto revisar rodilla rodillas rojo
roja romper rompio ronda rota roto rueda sabado sabe saber sacaron salgo salia salida salio salir salud sangre se
sea seguia seguir seguro seguros seis semaforo semana semanas senal sentada sentado senti sentir sentia senor senora
septiembre ser si siempre siento siete sigo siguio sin sino sobre sol sola solo son soy su suave subir suelo sueño
sufri sufro sufrio sus susto tal tambien tampoco tan tanto tarde te techo telefono tener tengo tenia tenido terapia
terapias tercera testigos testigo tiempo tiene tienda tienen tiro tobillo toda todas todavia todo todos tomando tomar
tome tomo torcio trabajaba trabajar trabajo trailer traia trasera trasero transito tratamiento trafico tres tuve tuvieron
tuvo un una uno unos usted usar va vamos van varias varios vehiculo vehiculos veinte velocidad ven venia venian
ventana ver verde vez veces vi viaje vida vidrio vidrios viernes vio vino visto vivo volante volcado volco voltear
volteo volver vuelta vueltas y ya yendo yo zona
`
  .normalize('NFD')
  .replace(/\p{M}/gu, '')
  .trim()
  .split(/\s+/);

/** Words without a vowel, or otherwise odd, that people do write. */
export const oddWords: readonly string[] = `
mri ct er dr mr mrs ms st rd blvd hwy ave ln pkwy mph km kmh mi lbs ft hr hrs yr yrs min mins pt ptsd tbi acl mcl
pcl mvc mva dui dwi suv vw bmw gmc hmo pip um uim usps ups cdl dmv dps nypd lapd sr jr vs tmj cts dvt rn pa er ems
emt cpr id tx ca fl ny nyc la nj pls plz thx bc cuz bcuz tho idk imo tbh smh omg lol wtf msg txt rly ppl w wo nbd
abt wk wks mth mths mos veh pkg frm hv bn dnt cnt wnt wrk wld shld gf bf btw rn prob def xq q k xk tqm pq tmb ntp
mtz hnos c1 c2 c3 c4 c5 c6 c7 l1 l2 l3 l4 l5 s1 t1 t12 1st 2nd 3rd 4th 5th
`
  .trim()
  .split(/\s+/);
