import type { MailTexts } from './index'

export const es: MailTexts = {
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  fallback: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  help: 'Obtener ayuda',
  footer: (tenant) =>
    `${tenant} te envía este mensaje por la actividad en tu cuenta. Las respuestas a esta dirección no se leen.`,
  blocked_account: (tenant) => ({
    subject: `${tenant}: hemos pausado el inicio de sesión en tu cuenta`,
    preview: 'Ha habido demasiados intentos fallidos de inicio de sesión.',
    title: 'Hemos pausado el inicio de sesión en tu cuenta',
    lead: `Ha habido demasiados intentos fallidos de iniciar sesión en tu cuenta de ${tenant}. Puede que alguien esté intentando adivinar tu contraseña, así que ya no aceptamos intentos desde la dirección de red indicada abajo.`,
    address: 'Dirección de red',
    intro:
      'Si fuiste tú, puedes desbloquear tu cuenta ahora. El enlace abre una página con un botón; no ocurre nada hasta que lo pulses.',
    action: 'Desbloquear mi cuenta',
    closing:
      'Si no fuiste tú, no tienes que hacer nada: la pausa te protege. Asegúrate de no usar esta contraseña en ningún otro sitio.',
  }),
}
