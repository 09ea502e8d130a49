/**
 * Autonomous systems (AS) whose use is known, whatever their holder's name says: one holder often has a network for telephones and one
 * for lines (AIS of Thailand: AS131445 and AS133481, both "Advanced Wireless Network"). `number word`: the word is one of the holder's
 * name in the data, so that a number that changed hands is noticed.
 *
 * Sources: the operators' own naming, the lists of github.com/openasn/openasn (CC0), and, where an operator has both, a look at
 * which AS announces its known blocks for telephones. An operator that has both in one AS belongs into `MIXED`, and so does any doubt:
 * a telephone taken for a line makes an honest buyer suspicious, a line taken for unknown delays an alert.
 */

/** Networks of telephones. */
export const MOBILE = `
21928 T-Mobile, 6614 T-Mobile, 18933 T-Mobile, 17133 T-Mobile, 22140 T-Mobile, 20057 AT&T, 6167 Verizon, 22394 Verizon, 32307 CELLULAR,
398378 Boost, 28403 RadioMovil, 27831 Movil, 26611 COMCEL, 27680 MOVIL, 19422 Moviles, 27925 PCS, 27889 MOVILNET, 22085 Claro, 26615 TIM,
28024 PCS, 7438 Pegaso, 263783 Moviles,
51207 Free, 206067 Hutchison, 60339 Hutchison, 35228 Telefonica, 29180 Telefonica, 13280 Three, 44034 Hi3G, 31615 Odido, 39603 P4,
8374 Polkomtel, 25255 Hutchison, 24921 Mobilais, 12958 T2, 39374 T2, 42437 T2, 48092 T2, 15378 T2, 41330 T2, 48190 T2, 31133 MegaFon,
25159 MegaFon, 31163 MegaFon, 31213 MegaFon, 25106 Mobile, 21497 UKRAINE, 34058 lifecell, 29355 Kcell, 48503 Mobile, 29555 Mobile,
16135 TURKCELL, 20978 Mobil, 15897 Vodafone, 47883 MOBILE, 16116 Pelephone,
197207 Mobile, 44244 Cell, 57218 Rightel, 42961 Mobile, 29357 MOBILE, 43766 Mobile, 36998 Mobile,
9605 DOCOMO, 138384 Rakuten, 9644 SK, 17853 LGTELECOM, 17421 Mobile, 24158 Taiwan, 9674 Far, 17924 Smartone, 38819 CSL, 9231 Mobile,
137872 Mobile, 55836 Jio, 45609 Airtel, 55557 Airtel, 38266 Idea, 45271 Idea, 55410 Idea, 23693 Selular, 4761 INDOSAT, 17885 XL, 24203 XL,
4818 DiGi, 10081 DiGi, 10030 Celcom, 38466 Mobile, 131445 WIRELESS, 9587 DTAC, 24378 Access, 132618 Move, 132061 Realmove, 10139 Smart,
131429 MOBIFONE, 24389 grameenphone, 24432 Axiata, 45245 Banglalink, 38565 Ncell, 45669 Mobilink, 24499 Telenor, 45143 Mobile,
29465 MTN, 36873 Airtel, 37168 Cell, 29975 Vodacom, 36926 Airtel, 37075 Airtel, 37133 Airtel, 37140 Airtel, 30986 Scancom, 37287 Zambia,
36908 Vodacom, 37223 Vodacom, 37069 Mobinil, 37009 Mobile, 36890 MTN, 36972 MTN, 327931 Optimum, 33779 Wataniya
`;

/** Networks of lines into houses, of operators that have no telephones or have them in another AS; and those of universities. */
export const FIXED = `
7922 Comcast, 7015 Comcast, 7016 Comcast, 7725 Comcast, 20214 Comcast, 21508 Comcast, 33287 Comcast, 33490 Comcast, 33491 Comcast,
33651 Comcast, 33652 Comcast, 33657 Comcast, 33659 Comcast, 33665 Comcast, 33667 Comcast, 20115 Charter, 20001 Charter, 10796 Charter,
11351 Charter, 11426 Charter, 11427 Charter, 12271 Charter, 33363 Charter, 33588 Charter, 16787 Charter, 22773 Cox, 6128 Cablevision,
19108 Suddenlink, 5650 Frontier, 7029 Windstream, 19901 Brightspeed, 30036 Mediacom, 11492 CABLE, 12083 WideOpenWest, 6079 RCN,
7459 Grande, 11404 Wave, 11232 Midcontinent, 4181 TDS, 6181 Cincinnati, 13977 Consolidated, 16591 Google, 19165 Webpass, 46375 Sonic,
23089 Hotwire, 11776 Breezeline, 20055 Wholesail, 13370 Ziply, 25764 Ziply, 12009 Ziply, 31857 Ziply, 3737 PenTeleData, 27364 Armstrong,
30600 Metronet, 26827 EPB, 13490 Buckeye, 11290 Cogeco, 7992 Cogeco, 5645 TekSavvy, 14638 Liberty,
5089 Virgin, 13285 TalkTalk, 6871 British, 13037 Zen, 56478 Hyperoptic, 201838 Community, 12390 KCOM, 42689 Glide,
8767 M-net, 8422 NetCologne, 9145 EWE, 60294 Glasfaser, 20880 Columbus, 35244 Columbus, 16202 Columbus, 50436 Columbus, 15943 wilhelm,
13045 htp, 42652 inexio, 15763 DOKOM, 12322 Free, 15435 DELTA, 50266 Odido, 206238 Freedom, 12392 VOO, 13030 Init7, 8445 SALZBURG,
12605 LIWEST, 35612 EOLO, 35699 Adamo, 29518 Bredband2, 8473 Bahnhof, 29695 Lyse, 44869 FIBIA, 29314 VECTRA, 21021 Multimedia,
13110 INEA, 16342 Toya, 12578 Tet, 31042 BroadBand, 25229 KYIVSKI, 39608 Lanet, 13188 DELIVERY, 3326 DATAGROUP, 31252 StarNet,
25513 Moscow, 31200 Novotelecom, 31214 Dialog, 24955 Ufanet, 6697 Beltelecom,
34984 Superonline, 47524 Turksat, 12978 ANDROMEDA, 8386 Vodafone, 15924 Vodafone, 12849 Hot-Net, 58224 Telecommunication, 31549 Shatel,
43754 Asiatech, 9318 Broadband, 17858 POWERCOMM, 10036 DLIVE, 9824 JCOM, 9617 JCOM, 4721 JCOM, 38841 kbro, 9924 Fixed, 9416 Hoshin,
9269 Broadband, 9908 Cable, 4760 PCCW, 9506 Magix, 3758 SingNet, 56300 MYREPUBLIC, 18106 Viewqwest, 7545 TPG, 4739 iiNet, 4764 Wideband,
38195 SUPERLOOP, 17488 HATHWAY, 24309 Atria, 18209 Atria, 55577 Atria, 18207 Broadband, 17465 Asianet, 133982 Excitel,
45916 Gujarat, 23674 Nayatel, 9541 Cyber, 133481 WIRELESS, 45758 Triple, 18403 FPT, 17639 ComClark, 17451 BIZNET,
23700 Linknet, 63859 Mas, 7713 Telekomunikasi, 9930 TT,
13999 Mega, 262916 Mega, 14178 Megacable, 22884 TOTAL, 17072 TOTAL, 28548 Cablevision, 28509 Cablemas, 11888 Television, 28573 Claro,
28649 Desktop, 28668 Desktop, 14868 Ligga, 10620 Telmex, 14080 Telmex, 19429 ETB, 13489 EPM, 22047 VTR, 14259 Gtd, 14117 Telefonica,
14522 Satnet, 27947 Telconet, 21826 Telemic, 701 Verizon, 209 CenturyLink, 22561 CenturyLink, 12389 Rostelecom, 42610 Rostelecom, 9121 Turk, 47331 TTNet, 3462 Chunghwa, 8167 tal,
7738 tal, 27747 Telecentro, 16814 NSS, 37705 TOPNET,
680 Forschungsnetzes, 786 Jisc, 2200 Renater, 137 GARR, 559 SWITCH, 1103 SURF, 2611 BELNET, 766 Red.es, 1653 SUNET, 1741 CSC, 224 SIKT,
1213 HEAnet, 2852 CESNET, 7575 Australian, 2152 CENIC, 4538 Education, 1659 Academic, 2907 Research, 2107 ARNES, 2018 TENET,
378 InterUniversity, 1916 Ensino, 2607 akademickej, 2500 WIDE, 237 Merit, 600 OARnet, 553 Stuttgart, 10430 K-20
`;

/**
 * Holders of both kinds whose AS carry both, or nobody tells which carries what. Looked up: AS7018 announces 48 of the 64 blocks of
 * 107.64.0.0/10 (AT&T's telephones), AS33915 announces 62.140.132.0/24 (Vodafone NL's), AS2856 what was EE's; AS28403 (Telcel, 80 million telephones)
 * has 19,000 addresses, so most of its telephones are behind AS8151; Sky, Fastweb, Digi, Optage, IIJ and Biglobe give the
 * telephones that they serve on others' masts addresses of their own.
 */
export const MIXED = `
7018 AT&T, 812 Rogers, 577 Bell, 852 TELUS, 5769 Videotron, 11260 EastLink, 803 Saskatchewan, 6327 Shaw, 8151 Uninet,
3320 Deutsche, 3209 Vodafone, 6805 Telefonica, 8881 Versatel, 3215 Orange, 5410 Bouygues, 15557 SFR, 2856 British, 5607 Sky, 5378 Vodafone,
25135 Vodafone, 3352 TELEFONICA, 12430 VODAFONE, 6739 VODAFONE, 12479 Orange, 57269 DIGI, 15704 XTRA, 3269 Italia, 1267 WIND, 30722 Vodafone,
12874 Fastweb, 1136 KPN, 33915 Vodafone, 13127 Odido, 5432 Proximus, 6848 Telenet, 3303 Swisscom, 6730 Sunrise, 15796 Salt, 8447 A1,
8412 T-Mobile, 8437 Hutchison, 3301 Telia, 1257 Tele2, 8434 Telenor, 2119 Telenor, 3292 TDC, 1759 Telia, 16086 DNA, 719 RIPE,
5617 Orange, 9141 P4, 12912 T-Mobile, 3243 MEO, 2860 NOS, 12353 Vodafone, 5466 Eircom, 15502 Vodafone, 6830 Liberty, 6799 Ote, 3329 VODAFONE,
1241 Nova, 9050 Orange, 8708 DIGI, 12302 Vodafone, 5483 Magyar, 13036 T-Mobile, 5610 O2, 16019 Vodafone, 8402 Vimpelcom,
3216 Vimpelcom, 8359 MTS, 12714 MegaFon, 15895 Kyivstar, 6849 Ukrtelecom, 12400 Partner, 1680 Cellcom, 8551 Bezeq,
4134 Chinanet, 4837 UNICOM, 9808 Mobile, 9394 TieTong, 24444 Mobile, 24445 Mobile, 24547 Mobile, 38019 Mobile, 56040 Mobile, 56041 Mobile,
56042 Mobile, 56044 Mobile, 56045 Mobile, 56046 Mobile, 56047 Mobile, 56048 Mobile, 24400 Mobile, 132525 Mobile, 132510 Mobile,
134810 Mobile, 138407 Mobile, 139080 Mobile, 140105 Mobile, 141425 Mobile, 58453 Mobile, 58807 Mobile, 9829 Bharat, 9498 Airtel, 24560 Airtel,
17676 SoftBank, 2516 KDDI, 4713 NTT, 2518 BIGLOBE, 2527 Sony, 2497 Initiative, 17511 OPTAGE, 4766 Korea, 3786 DACOM,
45899 VNPT, 7552 Viettel, 9299 Philippine, 4775 Globe, 132199 Globe, 4788 TM, 9534 Maxis, 45430 WIRELESS, 45458 WIRELESS, 17552 TRUE, 17557 Pakistan,
1221 Telstra, 4804 Optus, 18001 Dialog, 14593 Space, 7155 ViaSat, 6621 Hughes,
25019 Saudi, 39891 Saudi, 35819 Etihad, 5384 EMIRATES, 8452 TE, 36992 ETISALAT, 24835 Vodafone, 6713 Itissalat, 36903 Maroc, 36925 MEDITELECOM,
33771 Safaricom, 37061 Safaricom, 5713 Telkom, 16637 MTN, 24757 EthioNet,
26599 TELEFONICA, 27699 TELEFONICA, 18881 TELEFONICA, 10429 TELEFONICA, 53006 ALGAR, 16735 ALGAR, 28126 BRISANET, 7303 Argentina,
22927 Telefonica, 3816 COLOMBIA, 6147 Telefonica, 12252 Movil, 6400 Dominicana, 27651 ENTEL, 7418 TELEFONICA, 6057 Telecomunicaciones, 8048 CANTV
`;

/** @returns AS number → a word of its holder's name */
export const readTable = (table: string): Map<number, string> =>
  new Map(
    table
      .trim()
      .split(/,\s*/)
      .map((entry) => {
        const [asn, word] = entry.split(' ') as [string, string];
        return [Number(asn), word];
      }),
  );
