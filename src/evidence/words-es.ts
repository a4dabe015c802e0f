import type { Words } from './words.ts';

/** The Spanish words of a report. */
export const es: Words = {
  verdicts: {
    proven: {
      title: 'Este paquete es auténtico y no ha cambiado',
      text: 'Lo firmó {issuer}, con una clave de {from}. Todo lo que se comprobó es correcto.',
    },
    unconfirmed: {
      title: 'No hay nada incorrecto, pero la prueba no está completa',
      text: 'El paquete concuerda, pero no se comprobó algo que usted necesita para confiar en él. Cualquiera puede hacer un paquete con sus propias claves. Vea abajo «no comprobado».',
    },
    failed: {
      title: 'No confíe en este paquete',
      text: 'Al menos una comprobación falló. El paquete fue cambiado, está dañado o no es lo que dice. Pida otra copia.',
    },
  },
  partly: 'Auténtico, hasta donde se comprobó',
  outcomes: { passed: 'correcto', failed: 'falló', 'not-checked': 'no comprobado' },
  checks: {
    container: {
      name: 'El archivo',
      passed: 'El archivo está completo. No hay nada escondido ni agregado.',
      failed: 'El archivo no es un paquete completo, o algo en él fue cambiado o agregado.',
    },
    manifest: {
      name: 'La lista del contenido',
      passed: 'La lista de lo que hay en el paquete tiene su forma exacta.',
      failed: 'La lista de lo que hay en el paquete fue cambiada o está dañada.',
    },
    files: {
      name: 'El contenido',
      passed: 'Cada archivo es exactamente como dice la lista. No falta ni sobra ninguno.',
      failed: 'Un archivo fue cambiado, quitado o agregado después de hacer la lista.',
    },
    signature: {
      name: 'La firma',
      passed: 'La lista fue firmada y no ha cambiado desde entonces.',
      failed: 'La firma no corresponde a esta lista del contenido.',
    },
    validity: {
      name: 'El tiempo de las claves',
      passed: 'Las claves eran válidas cuando se usaron.',
      failed: 'Una clave se usó antes o después del tiempo en que era válida.',
    },
    signer: {
      name: 'Quién firmó',
      passed: 'Se firmó con una clave de {issuer}, como muestran las claves de {from}.',
      failed:
        'Se firmó con una clave que no está entre las claves de {from}. Puede ser de otra persona.',
      notChecked:
        'No se sabe quién firmó: no había claves de un lugar de confianza. Descárguelas del sitio del emisor, en /.well-known/evidence/keys.json.',
    },
    head: {
      name: 'El estado del registro',
      passed: 'El emisor firmó el estado de su registro público: {size} entradas.',
      failed:
        'El estado del registro no está firmado por el emisor, o no es el que nombra el paquete.',
    },
    inclusion: {
      name: 'Las entradas del registro',
      passed:
        'La solicitud, el consentimiento y los envíos están en el registro exactamente como en este paquete.',
      failed: 'Al menos un dato no está en el registro como lo muestra este paquete.',
    },
    record: {
      name: 'Los datos',
      passed: 'Todos los datos son de la misma solicitud y dicen lo mismo en cada archivo.',
      failed: 'No todos los datos son de esta solicitud, o dos archivos dicen cosas distintas.',
    },
    times: {
      name: 'El orden de las horas',
      passed: 'Las horas siguen su orden: mostrado, aceptado, recibido, registrado, empaquetado.',
      failed: 'Las horas se contradicen.',
    },
    history: {
      name: 'El registro, comparado con lo que usted guardó',
      passed: 'El registro es el mismo cuyo estado usted guardó. Nada en él fue reescrito.',
      failed: 'El registro no es el mismo cuyo estado usted guardó, o su historia fue reescrita.',
      notChecked:
        'No se comprobó si el registro fue reescrito después. Para eso hace falta un estado del registro que usted u otra persona haya guardado y, si es anterior o posterior, la prueba de /.well-known/evidence/consistency.',
    },
    timestamp: {
      name: 'El sello de tiempo independiente',
      passed:
        'Un servicio de sellos de tiempo, «{by}» según su certificado, confirmó cuándo existía este paquete.',
      failed: 'El sello de tiempo falta, fue cambiado o no es de este paquete.',
    },
    stamper: {
      name: 'Quién puso el sello de tiempo',
      passed: 'El certificado en el que usted confía responde por el servicio, «{by}».',
      failed:
        'Los certificados en los que usted confía no responden por el servicio. Cualquiera puede hacer un sello de tiempo con cualquier nombre.',
      notChecked:
        'La hora solo está probada según el certificado del propio sello, y cualquiera puede hacer uno con cualquier nombre. Compruébela con el certificado raíz que publica el servicio, o compare el SHA-256.',
    },
  },
  facts: {
    issuer: 'Emisor',
    leadId: 'Solicitud',
    revision: 'Revisión',
    person: 'Persona',
    text: 'Texto que se aceptó',
    version: 'Versión del texto',
    page: 'Página',
    shownAt: 'Texto mostrado (reloj del visitante)',
    givenAt: 'Aceptado (reloj del visitante)',
    how: 'Cómo se envió el formulario',
    seen: 'Texto a la vista: parte, tiempo entero, tamaño de letra, contraste',
    receivedAt: 'Recibido por el servidor',
    address: 'Dirección de internet',
    deliveries: 'Enviado a',
    recipient: 'Paquete hecho para',
    log: 'Registro, entradas, hora, raíz',
    madeAt: 'Paquete hecho',
    timestamp: 'Sello de tiempo: hora, servicio, certificado (SHA-256)',
    kid: 'Clave de la firma',
  },
  titles: {
    checks: 'Qué se comprobó',
    facts: 'Lo que, según prueba el paquete, se registró',
    claims: 'Lo que dice el paquete (sin prueba)',
    notProven: 'Lo que ningún paquete puede probar',
    details: 'Detalles técnicos',
  },
  notProven: [
    'Quién estaba ante el teclado: que la persona nombrada es quien aceptó.',
    'Que una llamada o un mensaje a esta persona es legal.',
    'Que la página se veía exactamente como la imagen del paquete: se reconstruyó a partir de la página guardada.',
    'Las horas del reloj del visitante. Las horas del servidor son palabra del emisor hasta que estén en un estado del registro que otra persona haya guardado.',
    'Que el emisor registró todo. El registro muestra lo que se registró, y que no se cambió después.',
  ],
  notReached: 'No se llegó a esto: una comprobación anterior falló.',
  none: 'ninguno',
};
