import type { Catalogue } from './messages'

export const es: Catalogue = {
  'common.cancel': 'Cancelar',
  'common.signed_in_as': 'Has iniciado sesión como {user}',
  'common.reference': 'Referencia',
  'common.details': 'Detalles para quien administra la aplicación',
  'common.help': 'Obtener ayuda',
  'common.restart': 'Empezar de nuevo',
  'common.back': 'Volver a la aplicación',
  'common.continue': 'Continuar',

  'title.error': 'Error: {title}',
  'notice.heading': 'Revisa esto primero',
  'notice.wrong_credentials': 'Estos datos no corresponden a ninguna cuenta. Revísalos e inténtalo de nuevo.',
  'notice.too_many_attempts':
    'Hemos pausado el inicio de sesión tras demasiados intentos fallidos. Si la cuenta es tuya, busca nuestro correo con un enlace para desbloquearla o inténtalo más tarde.',
  'notice.missing_identifier':
    '{kind, select, email {Escribe tu correo electrónico.} username {Escribe tu nombre de usuario.} other {Escribe tu correo electrónico o tu nombre de usuario.}}',
  'notice.missing_password': 'Escribe tu contraseña.',
  'notice.missing_credentials': 'Rellena los dos campos para iniciar sesión.',
  'notice.session_changed': 'Algo ha cambiado en otra pestaña. Comprueba que todo sigue como quieres y continúa.',
  'notice.reauthentication': 'Para proteger tu cuenta, inicia sesión una vez más.',
  'notice.missing_fields': 'Completa lo que falta.',
  'notice.invalid_email': 'Escribe una dirección de correo que pueda recibir mensajes, por ejemplo nombre@example.com.',
  'notice.invalid_username': 'Elige otro nombre de usuario: corto, sin espacios y que no sea una dirección de correo.',
  'notice.invalid_signup':
    'No hemos podido crear una cuenta con estos datos. Si ya tienes una, inicia sesión o restablece tu contraseña.',
  'notice.weak_password': 'Elige otra contraseña. La lista bajo el campo muestra lo que le falta a esta.',
  'notice.username_taken': 'Este nombre de usuario ya está en uso. Elige otro.',
  'notice.user_exists': 'Ya hay una cuenta con esta dirección. Inicia sesión con ella o restablece su contraseña.',
  'notice.verify_first': 'Confirma primero tu correo: te hemos enviado un enlace. Después, inicia sesión aquí.',
  'notice.reset_sent':
    'Si hay una cuenta con esta dirección, le hemos enviado un enlace para elegir una contraseña nueva. Puede tardar un minuto. Mira también en el correo no deseado.',

  'login.title': 'Iniciar sesión',
  'login.lead': 'para continuar en {client}',
  'login.identifier':
    '{kind, select, email {Correo electrónico} username {Nombre de usuario} other {Correo o nombre de usuario}}',
  'login.password': 'Contraseña',
  'login.show_password': 'Mostrar',
  'login.hide_password': 'Ocultar',
  'login.show_password_label': 'Mostrar contraseña',
  'login.hide_password_label': 'Ocultar contraseña',
  'login.caps_lock': 'El bloqueo de mayúsculas está activado.',
  'login.submit': 'Iniciar sesión',
  'login.forgot': '¿Has olvidado tu contraseña?',
  'login.no_account': '¿Aún no tienes cuenta?',
  'login.sign_up': 'Crear una cuenta',

  'account.title': 'Elige una cuenta',
  'account.title_one': 'Hola de nuevo',
  'account.lead': 'para continuar en {client}',
  'account.list': 'Cuentas con sesión iniciada en este navegador',
  'account.continue': 'Continuar',
  'account.continue_as': 'Continuar como {user}',
  'account.switch': 'Usar otra cuenta',

  'consent.title': '{client} pide acceso',
  'consent.lead': 'Tú decides qué puede saber y hacer en tu nombre.',
  'consent.third_party': '{client} no pertenece a {tenant}. Permítelo solo si confías en la aplicación.',
  'consent.list_profile': 'Podrá',
  'consent.list_api': 'En {api}, podrá',
  'consent.accept': 'Permitir',
  'consent.deny': 'No permitir',
  'consent.homepage': 'Acerca de {client}',
  'scope.openid': 'Reconocerte cuando vuelvas',
  'scope.profile': 'Ver tu nombre y tu foto de perfil',
  'scope.email': 'Ver tu correo electrónico',
  'scope.phone': 'Ver tu número de teléfono',
  'scope.address': 'Ver tu dirección postal',
  'scope.offline_access': 'Mantener el acceso cuando no estés',

  'logged_out.title': 'Has cerrado la sesión',
  'logged_out.body': 'Si compartes este equipo, cierra también esta ventana.',
  'logged_out.return': 'Volver a la aplicación',
  'confirm_logout.title': '¿Cerrar sesión?',
  'confirm_logout.body': 'Se cerrará tu sesión de {tenant} en este navegador.',
  'confirm_logout.body_client': '{client} quiere cerrar tu sesión de {tenant} en este navegador.',
  'confirm_logout.submit': 'Cerrar sesión',
  'confirm_logout.stay': 'Mantener la sesión',

  'unblock.title': 'Desbloquea tu cuenta',
  'unblock.body':
    'Pausamos el inicio de sesión tras varias contraseñas incorrectas. Si eras tú, desbloquea tu cuenta e inténtalo de nuevo.',
  'unblock.submit': 'Desbloquear mi cuenta',
  'unblock.done_title': 'Tu cuenta está desbloqueada',
  'unblock.done_body': 'Vuelve a la aplicación e inicia sesión. Si dudas de tu contraseña, restablécela.',

  'signup.title': 'Crear una cuenta',
  'signup.submit': 'Crear cuenta',
  'signup.have_account': '¿Ya tienes cuenta?',
  'signup.optional': '{label} (opcional)',
  'signup.legal': 'Al crear una cuenta, aceptas:',
  'signup.terms': 'Condiciones de uso',
  'signup.privacy': 'Política de privacidad',

  'password.rules': 'Una buena contraseña:',
  'password.unmet': 'No se cumple:',
  'password.missing': 'Aún falta:',
  'password.done': 'Tiene buena pinta.',
  'password.rule.length': 'tiene al menos {count} caracteres',
  'password.rule.lower': 'tiene una minúscula',
  'password.rule.upper': 'tiene una mayúscula',
  'password.rule.digit': 'tiene un número',
  'password.rule.special': 'tiene un carácter especial, como ! o #',
  'password.rule.classes': 'tiene al menos {count} de estos: minúsculas, mayúsculas, números, caracteres especiales',
  'password.rule.identical': 'tiene como máximo {count} caracteres iguales seguidos',
  'password.rule.common': 'no es de las que usa mucha gente',
  'password.rule.breached': 'no se conoce por ninguna filtración de datos',
  'password.rule.personal': 'no contiene tu nombre ni tu dirección de correo',
  'password.rule.history': 'no es ninguna de tus últimas {count}',
  'password.rule.max': 'tiene como máximo {count} caracteres',

  'forgot.title': 'Restablece tu contraseña',
  'forgot.body':
    'Escribe la dirección de correo de tu cuenta y te enviaremos un enlace para elegir una contraseña nueva.',
  'forgot.submit': 'Enviar el enlace',
  'forgot.back': 'Volver a iniciar sesión',
  'forgot.sent_title': 'Revisa tu correo',
  'forgot.nothing': '¿No ha llegado nada?',
  'forgot.again': 'Inténtalo otra vez',

  'reset.title': 'Elige una contraseña nueva',
  'reset.body': 'para {user}',
  'reset.password': 'Contraseña nueva',
  'reset.submit': 'Guardar la contraseña',
  'reset.everywhere': 'Esto cierra tu sesión en todos los dispositivos.',
  'reset.done_title': 'Tu contraseña ha cambiado',
  'reset.done_body':
    'Se ha cerrado tu sesión en todas partes. A partir de ahora, inicia sesión con la contraseña nueva.',
  'reset.continue': 'Continuar e iniciar sesión',

  'verify.title': 'Confirma tu correo electrónico',
  'verify.body': 'Confirma que {email} es tuyo, para que siempre puedas volver a entrar en tu cuenta.',
  'verify.submit': 'Confirmar mi dirección',
  'verify.done_title': 'Tu correo está confirmado',
  'verify.done_body': 'Gracias. Ahora sabemos que {email} es tuyo. Puedes cerrar esta página.',

  'error.unknown_client.title': 'No conocemos esta aplicación',
  'error.unknown_client.body':
    'El enlace que has seguido menciona una aplicación que no está registrada aquí. Vuelve a la aplicación e inténtalo de nuevo. Si sigue igual, avisa a quien la administra.',
  'error.callback_mismatch.title': 'Esta dirección de retorno no está permitida',
  'error.callback_mismatch.body':
    'La aplicación quería enviarte a una dirección que no tiene registrada, así que nos hemos detenido. No se ha compartido nada. Quien la administra puede añadirla a las URL de retorno permitidas.',
  'error.invalid_request.title': 'No entendemos esta solicitud',
  'error.invalid_request.body':
    'La aplicación ha enviado algo incompleto o contradictorio. Vuelve a la aplicación y empieza de nuevo. Si sigue igual, avisa a quien la administra.',
  'error.expired_transaction.title': 'Este inicio de sesión ha caducado',
  'error.expired_transaction.body':
    'Por tu seguridad, una página de inicio de sesión solo vale durante un tiempo. Vuelve a la aplicación y empieza de nuevo. No has perdido nada.',
  'error.finished_transaction.title': 'Este inicio de sesión ya ha terminado',
  'error.finished_transaction.body':
    'La página ya se usó, quizá en otra pestaña. Vuelve a la aplicación: puede que ya tengas la sesión iniciada.',
  'error.cookies_off.title': 'Tu navegador bloquea las cookies',
  'error.cookies_off.body':
    'Necesitamos una cookie para vincular este inicio de sesión a tu navegador. Permite las cookies de este sitio, vuelve a la aplicación y empieza de nuevo.',
  'error.other_browser.title': 'Este inicio de sesión empezó en otro navegador',
  'error.other_browser.body':
    'Por tu seguridad, solo se puede terminar donde empezó. Vuelve a ese navegador o empieza de nuevo aquí.',
  'error.bookmarked.title': 'Empieza en la aplicación que quieras usar',
  'error.bookmarked.body':
    'Esta página solo funciona cuando una aplicación te envía aquí. Abre la aplicación e inicia sesión desde ella. Mejor guarda en favoritos la aplicación que esta página.',
  'error.logout_url.title': 'No podemos llevarte a otro sitio',
  'error.logout_url.body':
    'La dirección prevista tras cerrar la sesión no está registrada, así que nos hemos detenido. Quien administra la aplicación puede añadirla a las URL de cierre de sesión permitidas.',
  'error.link_expired.title': 'Este enlace ya no funciona',
  'error.link_expired.body': 'Ha caducado o ya se usó. Pide uno nuevo y utiliza el último mensaje que hayas recibido.',
  'error.access_denied.title': 'No tienes acceso',
  'error.access_denied.body':
    'Tu cuenta no tiene permiso para esto. Si crees que debería, habla con quien administra la aplicación.',
  'error.connection_unavailable.title': 'Esta forma de iniciar sesión no está disponible',
  'error.connection_unavailable.body':
    'La aplicación ha pedido una forma de iniciar sesión que no tiene activada. Vuelve atrás y prueba otra.',
  'error.method_not_allowed.title': 'Esta página no se abre así',
  'error.method_not_allowed.body': 'Vuelve a la aplicación y empieza de nuevo desde ella.',
  'error.too_many_requests.title': 'Un poco demasiado rápido',
  'error.too_many_requests.body':
    'Hemos recibido demasiadas solicitudes desde tu red. Espera un minuto e inténtalo de nuevo.',
  'error.busy.title': 'Ahora mismo hay mucha actividad',
  'error.busy.body': 'Espera unos segundos y vuelve a cargar la página.',
  'error.not_found.title': 'Aquí no hay nada',
  'error.not_found.body':
    'Quizá la dirección esté mal escrita o la página haya cambiado de sitio. Vuelve a la aplicación y empieza desde allí.',
  'error.server_error.title': 'Algo ha fallado por nuestra parte',
  'error.server_error.body': 'No ha sido por nada que hicieras. Inténtalo de nuevo en un momento.',
}
