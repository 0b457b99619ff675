import type { Connection } from './connection'
import { SAMLP } from './saml-options'
import { providerOf } from './upstream/providers'
import { ADFS } from './wsfed-options'

/** An organisation's own provider: no button unless the connection asks for one, and nothing social about it. */
export const isEnterprise = ({ strategy }: Pick<Connection, 'strategy'>): boolean =>
  strategy === SAMLP || strategy === ADFS || providerOf(strategy)?.enterprise === true
