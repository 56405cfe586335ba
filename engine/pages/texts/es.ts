import type { Texts } from './page-texts.js';

export const ES: Texts = {
  status: {
    not_found: { title: 'Enlace no encontrado', text: 'No hay ningún enlace en esta dirección. Comprueba que esté bien escrita.' },
    disabled: { title: 'Enlace no disponible', text: 'Ya no hay ningún enlace en esta dirección.' },
    expired: { title: 'Enlace caducado', text: 'Este enlace funcionaba por tiempo limitado, y ese tiempo ya pasó.' },
    deleted: { title: 'Enlace eliminado', text: 'Su propietario ha eliminado este enlace.' },
    blocked: { title: 'Enlace bloqueado', text: 'Este enlace está bloqueado porque la página a la que lleva podría ser peligrosa.' },
    method_not_allowed: { title: 'Método no permitido', text: 'Un enlace solo se puede abrir.' },
    unavailable: { title: 'Inténtalo de nuevo en un momento', text: 'No se ha podido consultar este enlace ahora mismo.' },
    failed: { title: 'Algo ha salido mal', text: 'No se ha podido abrir este enlace. Inténtalo de nuevo en un momento.' },
    no_destination: {
      title: 'Ábrelo en la aplicación',
      text: 'Este enlace lleva a la aplicación {project}. Ábrelo en un dispositivo que la tenga instalada.',
    },
  },
  open: { title: 'Continuar en la aplicación {project}', text: 'Toca el botón para abrir este enlace en la aplicación.' },
  get: { title: 'Obtener la aplicación {project}', text: 'Este enlace se abre en la aplicación.' },
  open_button: 'Abrir la aplicación',
  get_button: 'Obtener la aplicación',
  web_link: 'Continuar en el navegador',
  support_link: 'Ayuda',
  in_app_hint:
    'Estás dentro de otra aplicación, cuyo navegador quizá no pueda abrir esta. Elige «Abrir en el navegador» en su menú y toca el botón.',
  password: {
    title: 'Introduce la contraseña',
    text: 'Este enlace está protegido. Quien te lo envió conoce la contraseña.',
    label: 'Contraseña',
    button: 'Continuar',
    wrong: 'Esa no es la contraseña. Inténtalo de nuevo.',
    throttled: 'Demasiados intentos. Espera un minuto e inténtalo de nuevo.',
    unsent: 'No hubo respuesta. Comprueba la conexión e inténtalo de nuevo.',
  },
};
