import type { MailTexts } from './index'

export const es: MailTexts = {
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  fallback: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  help: 'Obtener ayuda',
  footer: (tenant) =>
    `${tenant} te envía este mensaje por la actividad en tu cuenta. Las respuestas a esta dirección no se leen.`,
  address: 'Dirección de red',
  blocked_account: (tenant) => ({
    subject: `${tenant}: hemos pausado el inicio de sesión en tu cuenta`,
    preview: 'Ha habido demasiados intentos fallidos de inicio de sesión.',
    title: 'Hemos pausado el inicio de sesión en tu cuenta',
    lead: `Ha habido demasiados intentos fallidos de iniciar sesión en tu cuenta de ${tenant}. Puede que alguien esté intentando adivinar tu contraseña, así que ya no aceptamos intentos desde la dirección de red indicada abajo.`,
    intro:
      'Si fuiste tú, puedes desbloquear tu cuenta ahora. El enlace abre una página con un botón; no ocurre nada hasta que lo pulses.',
    action: 'Desbloquear mi cuenta',
    closing:
      'Si no fuiste tú, no tienes que hacer nada: la pausa te protege. Asegúrate de no usar esta contraseña en ningún otro sitio.',
  }),
  verify_email: (tenant) => ({
    subject: `${tenant}: verifica tu dirección de correo`,
    preview: 'Confirma que esta dirección es tuya.',
    title: 'Verifica tu dirección de correo',
    lead: `Se ha creado una cuenta de ${tenant} con esta dirección de correo.`,
    intro:
      'Si fuiste tú, confirma que la dirección es tuya. El enlace abre una página con un botón y sirve durante cinco días.',
    action: 'Verificar mi dirección',
    closing: 'Si no fuiste tú, ignora este mensaje. La dirección quedará sin verificar.',
  }),
  reset_password: (tenant) => ({
    subject: `${tenant}: restablece tu contraseña`,
    preview: 'Aquí tienes el enlace para elegir una contraseña nueva.',
    title: 'Restablece tu contraseña',
    lead: `Alguien ha pedido restablecer la contraseña de tu cuenta de ${tenant}.`,
    intro:
      'Si fuiste tú, elige ahora una contraseña nueva. El enlace funciona una sola vez y durante una hora. Se cerrará tu sesión en todas partes.',
    action: 'Elegir una contraseña nueva',
    closing: 'Si no fuiste tú, ignora este mensaje. Tu contraseña sigue siendo la misma.',
  }),
  already_registered: (tenant) => ({
    subject: `${tenant}: ya tienes una cuenta`,
    preview: 'Alguien ha intentado registrarse con tu dirección.',
    title: 'Ya tienes una cuenta',
    lead: `Alguien ha intentado registrarse en ${tenant} con esta dirección de correo, que ya tiene una cuenta. No se ha creado otra.`,
    closing:
      'Si fuiste tú, inicia sesión con tu contraseña de siempre. Si no la recuerdas, elige «¿Has olvidado tu contraseña?» en la página de inicio de sesión. Si no fuiste tú, no tienes que hacer nada.',
  }),
  password_changed: (tenant) => ({
    subject: `${tenant}: se ha cambiado tu contraseña`,
    preview: 'Se acaba de cambiar la contraseña de tu cuenta.',
    title: 'Se ha cambiado tu contraseña',
    lead: `Se acaba de cambiar la contraseña de tu cuenta de ${tenant} y se ha cerrado tu sesión en todas partes.`,
    closing:
      'Si fuiste tú, no tienes que hacer nada más: inicia sesión con la contraseña nueva. Si no fuiste tú, restablece tu contraseña cuanto antes desde la página de inicio de sesión y asegúrate de que nadie más puede leer tu correo.',
  }),
  code: 'Código',
  login_code: (tenant) => ({
    subject: `${tenant}: su código de acceso`,
    preview: 'Introduzca este código para iniciar sesión.',
    title: 'Su código de acceso',
    lead: `Introduzca este código donde está iniciando sesión en ${tenant}. Sirve una sola vez y durante unos minutos.`,
    closing: 'Si no quería iniciar sesión, ignore este mensaje. No dé el código a nadie: nunca se lo pediremos.',
  }),
  login_link: (tenant) => ({
    subject: `${tenant}: su enlace de acceso`,
    preview: 'Aquí tiene su enlace para iniciar sesión.',
    title: `Iniciar sesión en ${tenant}`,
    lead: `Alguien quiere iniciar sesión en ${tenant} con esta dirección de correo.`,
    intro:
      'Si fue usted, continúe aquí. El enlace abre una página con un botón, sirve una sola vez y durante unos minutos.',
    action: 'Iniciar sesión',
    closing: 'Si no fue usted, ignore este mensaje. Nadie puede entrar sin este enlace.',
  }),
  organization: 'Organización',
  invited_by: 'Invitación de',
  invitation: (tenant) => ({
    subject: `${tenant}: tienes una invitación`,
    preview: 'Alguien te ha invitado a una organización.',
    title: 'Tienes una invitación',
    lead: `Alguien te ha invitado a unirse a una organización que usa ${tenant}.`,
    intro: 'Para aceptar, continúa aquí. El enlace sirve una sola vez y durante un tiempo limitado.',
    action: 'Aceptar la invitación',
    closing: 'Si no sabes de quién se trata, ignora este mensaje. Sin ti no pasará nada.',
  }),
  text_message: (code, tenant) => `${code} es su código de verificación para ${tenant}. No se lo dé a nadie.`,
  call: (code, tenant) => `Su código de verificación para ${tenant} es: ${code}. Repito: ${code}.`,
}
