// Messages: their providers, templates and tests.
import type { ManagementDeps } from '../../../management/deps'
import { invitationMailer, templateTenant } from '../mailer'
import { sendTest } from '../test-message'
import type { ManagementOpening } from './opening'

export const messages = ({ runtime, shared }: ManagementOpening) =>
  ({
    mailer: runtime.mailer,
    invitationMailer: invitationMailer(runtime.sender, shared),
    wakeDispatcher: runtime.wakeDispatcher,
    sendTestMail: (to) => sendTest({ channel: 'email', to }, runtime, shared),
    sendTestCall: (to, channel, text) => sendTest({ channel, to }, runtime, shared, text),
    async phoneTemplateWords(source, channel) {
      const { testWords } = await import('../../../pages/messages/phone-templates')
      return testWords(source, channel, templateTenant(runtime.sender.tenant))
    },
    async previewMail(template) {
      const { previewMail } = await import('../../../pages/messages/mail-templates')
      return previewMail(template, { tenant: templateTenant(runtime.sender.tenant), baseUrl: runtime.baseUrl })
    },
    templateFault: async (source) => (await import('../../../pages/messages/liquid')).faultOf(source),
  }) satisfies Partial<ManagementDeps>
