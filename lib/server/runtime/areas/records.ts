// Records that are shown otherwise than they are stored: applications and APIs that are built in, pictures of people.
import { withBuiltIn } from '../../../data/apis/built-in'
import { withConsole } from '../../../data/clients/console'
import { withProfile } from '../../../data/clients/fapi2'
import { withLoginTest } from '../../../data/clients/login-test'
import { withPortal } from '../../../data/clients/portal'
import { createPortray, withPictures } from '../../../data/users/picture'
import type { Opening } from '../opening'
import type { Runtime } from '../runtime'

type Site = Pick<Runtime, 'baseUrl' | 'canonicalUrl' | 'customUrls'>

export function openRecords({ baseUrl, canonicalUrl, customUrls }: Site, { tenant, stores, shared }: Opening) {
  const { settings } = tenant
  const { vault } = shared
  const portray = createPortray({ vault, baseUrl, canonicalUrl, source: settings.tenant.default_picture })
  const registered = withProfile(stores.clients, settings.tenant.security_profile)
  return {
    portray,
    profiles: withPictures(stores.profiles, portray),
    eventSubjects: withPictures(stores.eventSubjects, portray),
    apis: withBuiltIn(stores.apis, baseUrl, canonicalUrl, [canonicalUrl, ...customUrls]),
    isAdministrator: async (userId: string): Promise<boolean> => (await stores.administrators.find(userId)) !== null,
    clients: withConsole(withLoginTest(withPortal(registered)), {
      tenantId: tenant.id,
      baseUrl,
      vault,
    }),
  }
}
