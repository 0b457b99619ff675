import type { ClientView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'

type Leading = { client: ClientView; organization?: string; inviter?: string }

export const nameOf = ({ name, isPortal }: Pick<ClientView, 'name' | 'isPortal'>, t: Translate): string =>
  isPortal ? t('portal.name') : name

/** Where a login leads to. */
export const leadOf = ({ client, organization, inviter }: Leading, t: Translate): string =>
  organization === undefined
    ? t('login.lead', { client: nameOf(client, t) })
    : inviter !== undefined
      ? t('login.lead_invited', { inviter, organization })
      : t('login.lead_organization', { client: nameOf(client, t), organization })
