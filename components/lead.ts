import type { ClientView } from '../lib/pages/view'
import type { Translate } from '../lib/texts/catalogue'

type Leading = { client: ClientView; organization?: string }

/** Where a login leads to. */
export const leadOf = ({ client, organization }: Leading, t: Translate): string =>
  organization === undefined
    ? t('login.lead', { client: client.name })
    : t('login.lead_organization', { client: client.name, organization })
