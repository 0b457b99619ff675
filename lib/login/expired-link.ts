import { invalidRequest } from '../kernel/errors'
import type { MailedLink } from '../pages/view'

/** The error of a link that is used, ended or not ours. */
export const expiredLink = (link?: MailedLink): Error =>
  invalidRequest('The link is not valid any more', {
    reason: 'mail_link_over',
    redirectable: false,
    page: { code: 'link_expired', ...(link && { link }) },
  })
