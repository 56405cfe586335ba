import type { Texts } from './page-texts.js';

export const FR: Texts = {
  status: {
    not_found: { title: 'Lien introuvable', text: 'Il n’y a aucun lien à cette adresse. Vérifiez qu’elle ne contient pas d’erreur.' },
    disabled: { title: 'Lien indisponible', text: 'Il n’y a plus de lien à cette adresse.' },
    expired: { title: 'Lien expiré', text: 'Ce lien n’était valable que pour une durée limitée, désormais écoulée.' },
    deleted: { title: 'Lien supprimé', text: 'Ce lien a été supprimé par son propriétaire.' },
    blocked: { title: 'Lien bloqué', text: 'Ce lien est bloqué, car la page à laquelle il mène pourrait être dangereuse.' },
    method_not_allowed: { title: 'Méthode non autorisée', text: 'Un lien peut seulement être ouvert.' },
    unavailable: { title: 'Réessayez dans un instant', text: 'Ce lien n’a pas pu être recherché pour le moment.' },
    failed: { title: 'Une erreur s’est produite', text: 'Ce lien n’a pas pu être ouvert. Réessayez dans un instant.' },
    no_destination: {
      title: 'À ouvrir dans l’application',
      text: 'Ce lien mène à l’application {project}. Ouvrez-le sur un appareil où elle est installée.',
    },
  },
  open: { title: 'Continuer dans l’application {project}', text: 'Touchez le bouton pour ouvrir ce lien dans l’application.' },
  get: { title: 'Obtenir l’application {project}', text: 'Ce lien s’ouvre dans l’application.' },
  open_button: 'Ouvrir l’application',
  get_button: 'Obtenir l’application',
  web_link: 'Continuer dans le navigateur',
  support_link: 'Obtenir de l’aide',
  in_app_hint:
    'Vous êtes dans une autre application, dont le navigateur ne peut peut-être pas ouvrir celle-ci. Choisissez « Ouvrir dans le navigateur » dans son menu, puis touchez le bouton.',
  password: {
    title: 'Saisissez le mot de passe',
    text: 'Ce lien est protégé. La personne qui vous l’a envoyé connaît le mot de passe.',
    label: 'Mot de passe',
    button: 'Continuer',
    wrong: 'Ce n’est pas le bon mot de passe. Réessayez.',
    throttled: 'Trop de tentatives. Attendez une minute, puis réessayez.',
    unsent: 'Aucune réponse. Vérifiez votre connexion, puis réessayez.',
  },
};
