import type { Catalogue } from './messages'

export const pt: Catalogue = {
  'common.cancel': 'Cancelar',
  'common.signed_in_as': 'Sessão iniciada como {user}',
  'common.reference': 'Referência',
  'common.details': 'Detalhes para quem administra o aplicativo',
  'common.help': 'Obter ajuda',
  'common.restart': 'Começar de novo',
  'common.back': 'Voltar ao aplicativo',
  'common.continue': 'Continuar',

  'title.error': 'Erro: {title}',
  'notice.heading': 'Confira isto primeiro',
  'notice.wrong_credentials': 'Estes dados não correspondem a nenhuma conta. Confira e tente novamente.',
  'notice.too_many_attempts':
    'Pausamos a entrada depois de muitas tentativas sem sucesso. Se a conta é sua, procure nosso e-mail com um link para desbloqueá-la ou tente mais tarde.',
  'notice.missing_identifier':
    '{kind, select, email {Informe seu e-mail.} username {Informe seu nome de usuário.} other {Informe seu e-mail ou nome de usuário.}}',
  'notice.missing_password': 'Informe sua senha.',
  'notice.missing_credentials': 'Preencha os dois campos para entrar.',
  'notice.session_changed': 'Algo mudou em outra aba. Veja se ainda está tudo como você quer e continue.',
  'notice.reauthentication': 'Para proteger sua conta, entre mais uma vez.',

  'login.title': 'Entrar',
  'login.lead': 'para continuar em {client}',
  'login.identifier': '{kind, select, email {E-mail} username {Nome de usuário} other {E-mail ou nome de usuário}}',
  'login.password': 'Senha',
  'login.show_password': 'Mostrar',
  'login.hide_password': 'Ocultar',
  'login.show_password_label': 'Mostrar senha',
  'login.hide_password_label': 'Ocultar senha',
  'login.caps_lock': 'O Caps Lock está ativado.',
  'login.submit': 'Entrar',
  'login.forgot': 'Esqueceu a senha?',
  'login.no_account': 'Ainda não tem conta?',
  'login.sign_up': 'Criar conta',

  'account.title': 'Escolha uma conta',
  'account.title_one': 'Que bom ver você de novo',
  'account.lead': 'para continuar em {client}',
  'account.list': 'Contas conectadas neste navegador',
  'account.continue': 'Continuar',
  'account.continue_as': 'Continuar como {user}',
  'account.switch': 'Usar outra conta',

  'consent.title': '{client} pede acesso',
  'consent.lead': 'Você decide o que ele pode saber e fazer em seu nome.',
  'consent.third_party': '{client} não é administrado por {tenant}. Permita somente se você confia nele.',
  'consent.list_profile': 'Ele poderá',
  'consent.list_api': 'Em {api}, ele poderá',
  'consent.accept': 'Permitir',
  'consent.deny': 'Não permitir',
  'consent.homepage': 'Sobre {client}',
  'scope.openid': 'Reconhecer você quando voltar',
  'scope.profile': 'Ver seu nome e sua foto de perfil',
  'scope.email': 'Ver seu endereço de e-mail',
  'scope.phone': 'Ver seu número de telefone',
  'scope.address': 'Ver seu endereço postal',
  'scope.offline_access': 'Manter o acesso quando você não estiver',

  'logged_out.title': 'Você saiu',
  'logged_out.body': 'Em um computador compartilhado, feche também esta janela.',
  'logged_out.return': 'Voltar ao aplicativo',
  'confirm_logout.title': 'Deseja sair?',
  'confirm_logout.body': 'Você sairá de {tenant} neste navegador.',
  'confirm_logout.body_client': '{client} quer encerrar sua sessão em {tenant} neste navegador.',
  'confirm_logout.submit': 'Sair',
  'confirm_logout.stay': 'Continuar conectado',

  'unblock.title': 'Desbloqueie sua conta',
  'unblock.body':
    'Pausamos a entrada depois de várias senhas erradas. Se foi você, desbloqueie sua conta e tente novamente.',
  'unblock.submit': 'Desbloquear minha conta',
  'unblock.done_title': 'Sua conta foi desbloqueada',
  'unblock.done_body': 'Volte ao aplicativo e entre. Se tiver dúvida sobre a senha, redefina-a.',

  'error.unknown_client.title': 'Não conhecemos este aplicativo',
  'error.unknown_client.body':
    'O link que você seguiu indica um aplicativo que não está registrado aqui. Volte ao aplicativo e tente novamente. Se não resolver, avise quem o administra.',
  'error.callback_mismatch.title': 'Este endereço de retorno não é permitido',
  'error.callback_mismatch.body':
    'O aplicativo queria enviar você a um endereço que não registrou, então paramos aqui. Nada foi compartilhado. Quem o administra pode incluir o endereço nas URLs de retorno permitidas.',
  'error.invalid_request.title': 'Não entendemos esta solicitação',
  'error.invalid_request.body':
    'O aplicativo enviou algo incompleto ou contraditório. Volte ao aplicativo e comece de novo. Se não resolver, avise quem o administra.',
  'error.expired_transaction.title': 'Esta entrada expirou',
  'error.expired_transaction.body':
    'Para sua segurança, uma página de entrada só vale por algum tempo. Volte ao aplicativo e comece de novo. Nada se perdeu.',
  'error.finished_transaction.title': 'Esta entrada já foi concluída',
  'error.finished_transaction.body':
    'A página já foi usada, talvez em outra aba. Volte ao aplicativo: talvez você já esteja conectado.',
  'error.cookies_off.title': 'Seu navegador está bloqueando cookies',
  'error.cookies_off.body':
    'Precisamos de um cookie para ligar esta entrada ao seu navegador. Permita cookies deste site, volte ao aplicativo e comece de novo.',
  'error.other_browser.title': 'Esta entrada começou em outro navegador',
  'error.other_browser.body':
    'Para sua segurança, ela só pode ser concluída onde começou. Volte àquele navegador ou comece de novo aqui.',
  'error.bookmarked.title': 'Comece pelo aplicativo que deseja usar',
  'error.bookmarked.body':
    'Esta página só funciona quando um aplicativo envia você até aqui. Abra o aplicativo e entre por ele. É melhor salvar nos favoritos o aplicativo do que esta página.',
  'error.logout_url.title': 'Não podemos levar você adiante',
  'error.logout_url.body':
    'O endereço previsto para depois da saída não está registrado, então paramos aqui. Quem administra o aplicativo pode incluí-lo nas URLs de saída permitidas.',
  'error.link_expired.title': 'Este link não funciona mais',
  'error.link_expired.body': 'Ele expirou ou já foi usado. Peça um novo e use a mensagem mais recente.',
  'error.access_denied.title': 'Você não tem acesso',
  'error.access_denied.body':
    'Sua conta não tem permissão para isto. Se acha que deveria ter, fale com quem administra o aplicativo.',
  'error.connection_unavailable.title': 'Esta forma de entrar não está disponível',
  'error.connection_unavailable.body':
    'O aplicativo pediu uma forma de entrar que não está ativada para ele. Volte e tente outra.',
  'error.method_not_allowed.title': 'Esta página não pode ser aberta assim',
  'error.method_not_allowed.body': 'Volte ao aplicativo e comece de novo por lá.',
  'error.too_many_requests.title': 'Um pouco rápido demais',
  'error.too_many_requests.body': 'Recebemos muitas solicitações da sua rede. Aguarde um minuto e tente novamente.',
  'error.busy.title': 'Estamos com muito movimento agora',
  'error.busy.body': 'Aguarde alguns segundos e recarregue esta página.',
  'error.not_found.title': 'Não há nada aqui',
  'error.not_found.body':
    'O endereço pode estar incorreto ou a página mudou de lugar. Volte ao aplicativo e comece por lá.',
  'error.server_error.title': 'Algo deu errado do nosso lado',
  'error.server_error.body': 'Não foi nada que você fez. Tente novamente em instantes.',
}
