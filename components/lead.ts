import type { ClientView } from '../lib/pages/view'
import type { Translate } from '../lib/texts/catalogue'

type Leading = { client: ClientView; organization?: string; inviter?: string }

/** Where a login leads to. */
export const leadOf = ({ client, organization, inviter }: Leading, t: Translate): string =>
  organization === undefined
    ? t('login.lead', { client: client.name })
    : inviter !== undefined
      ? t('login.lead_invited', { inviter, organization })
      : t('login.lead_organization', { client: client.name, organization })
