import { SAMLP } from './saml-options'
import { providerOf } from './upstream/providers'
import { ADFS } from './wsfed-options'

/** An organization's own provider: no button unless the connection sets one, and not social. */
export const isEnterprise = ({ strategy }: { strategy: string }): boolean =>
  strategy === SAMLP || strategy === ADFS || providerOf(strategy)?.enterprise === true
