import type { Texts } from './page-texts.js';

export const PT: Texts = {
  status: {
    not_found: { title: 'Link não encontrado', text: 'Não há nenhum link neste endereço. Verifique se ele foi digitado corretamente.' },
    disabled: { title: 'Link indisponível', text: 'Já não há nenhum link neste endereço.' },
    expired: { title: 'Link expirado', text: 'Este link funcionou por tempo limitado, que já terminou.' },
    deleted: { title: 'Link removido', text: 'Este link foi removido pelo proprietário.' },
    blocked: { title: 'Link bloqueado', text: 'Este link está bloqueado porque a página de destino pode ser perigosa.' },
    method_not_allowed: { title: 'Método não permitido', text: 'Um link só pode ser aberto.' },
    unavailable: { title: 'Tente novamente em instantes', text: 'Não foi possível consultar este link agora.' },
    failed: { title: 'Algo deu errado', text: 'Não foi possível abrir este link. Tente novamente em instantes.' },
    no_destination: {
      title: 'Abra no aplicativo',
      text: 'Este link leva ao aplicativo {project}. Abra-o em um dispositivo que tenha o aplicativo.',
    },
  },
  open: { title: 'Continuar no aplicativo {project}', text: 'Toque no botão para abrir este link no aplicativo.' },
  get: { title: 'Baixar o aplicativo {project}', text: 'Este link abre no aplicativo.' },
  open_button: 'Abrir o aplicativo',
  get_button: 'Baixar o aplicativo',
  web_link: 'Continuar no navegador',
  support_link: 'Obter ajuda',
  in_app_hint:
    'Você está dentro de outro aplicativo, cujo navegador talvez não consiga abrir este. Escolha “Abrir no navegador” no menu e toque no botão.',
  password: {
    title: 'Digite a senha',
    text: 'Este link é protegido. Quem o enviou sabe a senha.',
    label: 'Senha',
    button: 'Continuar',
    wrong: 'Essa não é a senha. Tente de novo.',
    throttled: 'Muitas tentativas. Espere um minuto e tente de novo.',
    unsent: 'Não houve resposta. Verifique a conexão e tente de novo.',
  },
};
