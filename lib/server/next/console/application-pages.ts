// Which page of an application has which groups of its settings, in their order.
export const APPLICATION_PAGES = {
  '': ['basics', 'addresses', 'login', 'tokens', 'logout', 'mobile', 'metadata'],
  credentials: ['credentials', 'requests'],
  access: [],
  protocols: ['saml', 'wsfed'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ApplicationPageName = keyof typeof APPLICATION_PAGES
