// The users of e2e/tenant.yaml. Each journey that changes stored data of a user has a user of its own.

export const PASSWORD = 'correct horse battery'

export const PEOPLE = {
  kim: { email: 'kim@e2e.test', name: 'Kim Ito' },
  wren: { email: 'wrong@e2e.test', name: 'Wren Moss' },
  tab: { email: 'tabs@e2e.test', name: 'Tab Hunter' },
  ana: { email: 'allow@e2e.test', name: 'Ana Silva' },
  ben: { email: 'deny@e2e.test', name: 'Ben Okoro' },
  cleo: { email: 'grow@e2e.test', name: 'Cleo Hart' },
  fay: { email: 'frame@e2e.test', name: 'Fay Lund' },
  dan: { email: 'blocked@e2e.test', name: 'Dan Berg' },
  nora: { email: 'plain@e2e.test', name: 'Nora Plain' },
  axel: { email: 'axe@e2e.test', name: 'Axel Stone' },
  kay: { email: 'kay@e2e.test', name: 'Kay Lake' },
  ruth: { email: 'reset@e2e.test', name: 'Ruth Vale' },
  sam: { email: 'noscript@e2e.test', name: 'Sam Holt' },
  tess: { email: 'app@e2e.test', name: 'Tess Key' },
  sven: { email: 'sms@e2e.test', name: 'Sven Bell' },
  pola: { email: 'push@e2e.test', name: 'Pola Tap' },
  nils: { email: 'safe@e2e.test', name: 'Nils Quiet' },
  asta: { email: 'axe-mfa@e2e.test', name: 'Asta Reed' },
  silas: { email: 'small-mfa@e2e.test', name: 'Silas Pond' },
  ute: { email: 'sprache@e2e.test', name: 'Ute Wort' },
  otis: { email: 'kite-app@e2e.test', name: 'Otis Reel' },
  sia: { email: 'kite-sms@e2e.test', name: 'Sia Reel' },
  pia: { email: 'kite-push@e2e.test', name: 'Pia Reel' },
  bo: { email: 'backend-mfa@e2e.test', name: 'Bo Anker' },
  stig: { email: 'kite-step@e2e.test', name: 'Stig Reel' },
  mara: { email: 'proven@e2e.test', name: 'Mara Post' },
  linda: { email: 'linda.link@e2e.test', name: 'Linda Link' },
  paula: { email: 'paula.parted@e2e.test', name: 'Paula Parted' },
  nilsNoscript: { email: 'nils.noscript@e2e.test', name: 'Nils Noscript' },
  vera: { email: 'vera.view@e2e.test', name: 'Vera View' },
  aida: { email: 'aida.view@e2e.test', name: 'Aida View' },
  gil: { email: 'gil.guest@e2e.test', name: 'Gil Guest' },
  lee: { email: 'lee@e2e.test', username: 'lee.w', name: 'Lee Wong' },
  yuki: { email: 'security-key@e2e.test', name: 'Yuki Key' },
  kira: { email: 'kira@e2e.test', name: 'Kira Key' },
  nell: { email: 'nell@e2e.test', name: 'Nell Guest' },
  piet: { email: 'piet@e2e.test', name: 'Piet Brush' },
  rosa: { email: 'rosa@e2e.test', name: 'Rosa Home' },
  porter: { email: 'porter@e2e.test', name: 'Porter Gate' },
  koa: { email: 'koa@e2e.test', name: 'Koa Key' },
  stella: { email: 'stella@e2e.test', name: 'Stella Maris' },
  mia: { email: 'mia@e2e.test', name: 'Mia Key' },
  otto: { email: 'outbox@e2e.test', name: 'Otto Post' },
} as const

/** The users of prisma/demo-tenant.yaml. */
export const ADA = { email: 'ada@demo.test', password: 'analytical engine 1843', name: 'Ada Lovelace' }
export const GRACE = { email: 'grace@demo.test', password: 'nanosecond of copper wire', name: 'Grace Hopper' }

/** The API of the demo tenant. */
export const NOTES_API = 'https://api.demo.latchkey.test/'
