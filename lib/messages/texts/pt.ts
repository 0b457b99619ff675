import type { MailTexts } from './index'

export const pt: MailTexts = {
  greeting: (name) => (name ? `Olá, ${name},` : 'Olá,'),
  fallback: 'Se o botão não funcionar, copie este endereço para o seu navegador:',
  help: 'Obter ajuda',
  footer: (tenant) =>
    `${tenant} enviou esta mensagem por causa de atividade na sua conta. Respostas para este endereço não são lidas.`,
  address: 'Endereço de rede',
  blocked_account: (tenant) => ({
    subject: `${tenant}: pausamos a entrada na sua conta`,
    preview: 'Houve muitas tentativas de entrada sem sucesso.',
    title: 'Pausamos a entrada na sua conta',
    lead: `Houve muitas tentativas sem sucesso de entrar na sua conta ${tenant}. Alguém pode estar tentando adivinhar sua senha, por isso não aceitamos mais tentativas do endereço de rede abaixo.`,
    intro:
      'Se foi você, já pode desbloquear sua conta. O link abre uma página com um botão; nada acontece até você pressioná-lo.',
    action: 'Desbloquear minha conta',
    closing:
      'Se não foi você, não é preciso fazer nada: a pausa protege você. Verifique se não usa esta senha em nenhum outro lugar.',
  }),
  verify_email: (tenant) => ({
    subject: `${tenant}: confirme seu endereço de e-mail`,
    preview: 'Confirme que este endereço é seu.',
    title: 'Confirme seu endereço de e-mail',
    lead: `Uma conta ${tenant} foi criada com este endereço de e-mail.`,
    intro: 'Se foi você, confirme que o endereço é seu. O link abre uma página com um botão e vale por cinco dias.',
    action: 'Confirmar meu endereço',
    closing: 'Se não foi você, ignore esta mensagem. O endereço continuará sem confirmação.',
  }),
  reset_password: (tenant) => ({
    subject: `${tenant}: redefina sua senha`,
    preview: 'Este é o link para escolher uma nova senha.',
    title: 'Redefina sua senha',
    lead: `Alguém pediu para redefinir a senha da sua conta ${tenant}.`,
    intro:
      'Se foi você, escolha agora uma nova senha. O link funciona uma única vez, por uma hora. Você sairá da conta em todos os dispositivos.',
    action: 'Escolher uma nova senha',
    closing: 'Se não foi você, ignore esta mensagem. Sua senha continua a mesma.',
  }),
  already_registered: (tenant) => ({
    subject: `${tenant}: você já tem uma conta`,
    preview: 'Alguém tentou se cadastrar com o seu endereço.',
    title: 'Você já tem uma conta',
    lead: `Alguém tentou se cadastrar em ${tenant} com este endereço de e-mail, que já tem uma conta. Nenhuma outra foi criada.`,
    closing:
      'Se foi você, entre com a senha que já tem. Se não se lembra dela, escolha “Esqueceu a senha?” na página de entrada. Se não foi você, não é preciso fazer nada.',
  }),
  password_changed: (tenant) => ({
    subject: `${tenant}: sua senha foi alterada`,
    preview: 'A senha da sua conta acabou de ser alterada.',
    title: 'Sua senha foi alterada',
    lead: `A senha da sua conta ${tenant} acabou de ser alterada e você saiu da conta em todos os dispositivos.`,
    closing:
      'Se foi você, não é preciso fazer mais nada: entre com a nova senha. Se não foi você, redefina sua senha imediatamente na página de entrada e verifique se mais ninguém consegue ler seus e-mails.',
  }),
  code: 'Código',
  login_code: (tenant) => ({
    subject: `${tenant}: o seu código de acesso`,
    preview: 'Introduza este código para iniciar sessão.',
    title: 'O seu código de acesso',
    lead: `Introduza este código onde está a iniciar sessão em ${tenant}. Serve uma única vez e durante alguns minutos.`,
    closing: 'Se não queria iniciar sessão, ignore esta mensagem. Não diga o código a ninguém: nunca o pediremos.',
  }),
  login_link: (tenant) => ({
    subject: `${tenant}: a sua ligação de acesso`,
    preview: 'Aqui está a sua ligação para iniciar sessão.',
    title: `Iniciar sessão em ${tenant}`,
    lead: `Alguém quer iniciar sessão em ${tenant} com este endereço de e-mail.`,
    intro:
      'Se foi você, continue aqui. A ligação abre uma página com um botão, serve uma única vez e durante alguns minutos.',
    action: 'Iniciar sessão',
    closing: 'Se não foi você, ignore esta mensagem. Ninguém entra sem esta ligação.',
  }),
  organization: 'Organização',
  invited_by: 'Convite de',
  invitation: (tenant) => ({
    subject: `${tenant}: você recebeu um convite`,
    preview: 'Alguém convidou você para uma organização.',
    title: 'Você recebeu um convite',
    lead: `Alguém convidou você para participar de uma organização que usa ${tenant}.`,
    intro: 'Para aceitar, continue aqui. O link funciona uma única vez e por tempo limitado.',
    action: 'Aceitar o convite',
    closing: 'Se você não sabe quem é, ignore esta mensagem. Nada acontece sem você.',
  }),
  text_message: (code, tenant) => `${code} é o seu código de verificação para ${tenant}. Não o diga a ninguém.`,
  call: (code, tenant) => `O seu código de verificação para ${tenant} é: ${code}. Repito: ${code}.`,
}
