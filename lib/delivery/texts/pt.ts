import type { MailTexts } from './index'

export const pt: MailTexts = {
  greeting: (name) => (name ? `Olá, ${name},` : 'Olá,'),
  fallback: 'Se o botão não funcionar, copie este endereço para o seu navegador:',
  help: 'Obter ajuda',
  footer: (tenant) =>
    `${tenant} enviou esta mensagem por causa de atividade na sua conta. Respostas para este endereço não são lidas.`,
  blocked_account: (tenant) => ({
    subject: `${tenant}: pausamos a entrada na sua conta`,
    preview: 'Houve muitas tentativas de entrada sem sucesso.',
    title: 'Pausamos a entrada na sua conta',
    lead: `Houve muitas tentativas sem sucesso de entrar na sua conta ${tenant}. Alguém pode estar tentando adivinhar sua senha, por isso não aceitamos mais tentativas do endereço de rede abaixo.`,
    address: 'Endereço de rede',
    intro:
      'Se foi você, já pode desbloquear sua conta. O link abre uma página com um botão; nada acontece até você pressioná-lo.',
    action: 'Desbloquear minha conta',
    closing:
      'Se não foi você, não é preciso fazer nada: a pausa protege você. Verifique se não usa esta senha em nenhum outro lugar.',
  }),
}
