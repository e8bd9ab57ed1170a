// Misspelt names of hooks and steps: a letter of a word is missing, doubled or swapped with the next one, or the word
// is in another form. The compiler looks up all of them at once.
#pragma once

// clang-format off
// Each misspelling of a word: L(X, slip). Misspellings that are another valid name, or are reported elsewhere, are left
// out.
#define LEVIN_SLIPS_OF_SETUP(L, X) \
  L(X, etup) L(X, estup) L(X, ssetup) L(X, stup) L(X, steup) L(X, seetup) L(X, seup) L(X, seutp) L(X, settup) \
  L(X, setp) L(X, setpu) L(X, setuup) L(X, setu) L(X, setupp)
#define LEVIN_SLIPS_OF_TEARDOWN(L, X) \
  L(X, eardown) L(X, etardown) L(X, tteardown) L(X, tardown) L(X, taerdown) L(X, teeardown) L(X, terdown) \
  L(X, teradown) L(X, teaardown) L(X, teadown) L(X, teadrown) L(X, tearrdown) L(X, tearown) L(X, tearodwn) \
  L(X, tearddown) L(X, teardwn) L(X, teardwon) L(X, teardoown) L(X, teardon) L(X, teardonw) L(X, teardowwn) \
  L(X, teardow) L(X, teardownn)
#define LEVIN_SLIPS_OF_FIT(L, X) \
  L(X, it) L(X, ift) L(X, ffit) L(X, ft) L(X, fti) L(X, fiit) L(X, fi) L(X, fitt)
#define LEVIN_SLIPS_OF_START(L, X) \
  L(X, tart) L(X, tsart) L(X, sstart) L(X, sart) L(X, satrt) L(X, sttart) L(X, strt) L(X, strat) L(X, staart) \
  L(X, stat) L(X, statr) L(X, starrt) L(X, star) L(X, startt) L(X, started)
#define LEVIN_SLIPS_OF_END(L, X) \
  L(X, nd) L(X, ned) L(X, eend) L(X, ed) L(X, edn) L(X, ennd) L(X, en) L(X, endd) L(X, ended)
#define LEVIN_SLIPS_OF_SANITY(L, X) \
  L(X, anity) L(X, asnity) L(X, ssanity) L(X, snity) L(X, snaity) L(X, saanity) L(X, saity) L(X, sainty) \
  L(X, sannity) L(X, santy) L(X, santiy) L(X, saniity) L(X, saniy) L(X, saniyt) L(X, sanitty) L(X, sanit) \
  L(X, sanityy)
#define LEVIN_SLIPS_OF_CHECK(L, X) \
  L(X, heck) L(X, hceck) L(X, ccheck) L(X, ceck) L(X, cehck) L(X, chheck) L(X, chck) L(X, chcek) L(X, cheeck) \
  L(X, chek) L(X, chekc) L(X, checck) L(X, chec) L(X, checkk)
#define LEVIN_SLIPS_OF_TRAIN(L, X) \
  L(X, rain) L(X, rtain) L(X, ttrain) L(X, tain) L(X, tarin) L(X, trrain) L(X, trin) L(X, trian) L(X, traain) \
  L(X, tran) L(X, trani) L(X, traiin) L(X, trai) L(X, trainn)
#define LEVIN_SLIPS_OF_EPOCH(L, X) \
  L(X, poch) L(X, peoch) L(X, eepoch) L(X, eoch) L(X, eopch) L(X, eppoch) L(X, epch) L(X, epcoh) L(X, epooch) \
  L(X, epoh) L(X, epohc) L(X, epocch) L(X, epoc) L(X, epochh) L(X, epochs)
#define LEVIN_SLIPS_OF_BATCH(L, X) \
  L(X, atch) L(X, abtch) L(X, bbatch) L(X, btch) L(X, btach) L(X, baatch) L(X, bach) L(X, bacth) L(X, battch) \
  L(X, bath) L(X, bathc) L(X, batcch) L(X, batc) L(X, batchh) L(X, batches)
#define LEVIN_SLIPS_OF_VALIDATION(L, X) \
  L(X, alidation) L(X, avlidation) L(X, vvalidation) L(X, vlidation) L(X, vlaidation) L(X, vaalidation) \
  L(X, vaidation) L(X, vaildation) L(X, vallidation) L(X, valdation) L(X, valdiation) L(X, valiidation) \
  L(X, valiation) L(X, valiadtion) L(X, validdation) L(X, validtion) L(X, validtaion) L(X, validaation) \
  L(X, validaion) L(X, validaiton) L(X, validattion) L(X, validaton) L(X, validatoin) L(X, validatiion) \
  L(X, validatin) L(X, validatino) L(X, validatioon) L(X, validatio) L(X, validationn) L(X, validate)
#define LEVIN_SLIPS_OF_TEST(L, X) \
  L(X, est) L(X, etst) L(X, ttest) L(X, tst) L(X, tset) L(X, teest) L(X, tet) L(X, tets) L(X, tesst) L(X, tes) \
  L(X, testt)
#define LEVIN_SLIPS_OF_PREDICT(L, X) \
  L(X, redict) L(X, rpedict) L(X, ppredict) L(X, pedict) L(X, perdict) L(X, prredict) L(X, prdict) L(X, prdeict) \
  L(X, preedict) L(X, preict) L(X, preidct) L(X, preddict) L(X, predct) L(X, predcit) L(X, prediict) L(X, predit) \
  L(X, preditc) L(X, predicct) L(X, predic) L(X, predictt)
#define LEVIN_SLIPS_OF_EXCEPTION(L, X) \
  L(X, xception) L(X, xeception) L(X, eexception) L(X, eception) L(X, ecxeption) L(X, exxception) L(X, exeption) \
  L(X, execption) L(X, excception) L(X, excption) L(X, excpetion) L(X, exceeption) L(X, excetion) L(X, excetpion) \
  L(X, excepption) L(X, excepion) L(X, excepiton) L(X, excepttion) L(X, excepton) L(X, exceptoin) L(X, exceptiion) \
  L(X, exceptin) L(X, exceptino) L(X, exceptioon) L(X, exceptio) L(X, exceptionn) L(X, exceptions)
#define LEVIN_SLIPS_OF_SAVE(L, X) \
  L(X, ave) L(X, asve) L(X, ssave) L(X, sve) L(X, svae) L(X, saave) L(X, sae) L(X, saev) L(X, savve) L(X, sav) \
  L(X, savee)
#define LEVIN_SLIPS_OF_CHECKPOINT(L, X) \
  L(X, heckpoint) L(X, hceckpoint) L(X, ccheckpoint) L(X, ceckpoint) L(X, cehckpoint) L(X, chheckpoint) \
  L(X, chckpoint) L(X, chcekpoint) L(X, cheeckpoint) L(X, chekpoint) L(X, chekcpoint) L(X, checckpoint) \
  L(X, checpoint) L(X, checpkoint) L(X, checkkpoint) L(X, checkoint) L(X, checkopint) L(X, checkppoint) \
  L(X, checkpint) L(X, checkpiont) L(X, checkpooint) L(X, checkpont) L(X, checkponit) L(X, checkpoiint) \
  L(X, checkpoit) L(X, checkpoitn) L(X, checkpoinnt) L(X, checkpoin) L(X, checkpointt) L(X, check_point) \
  L(X, checkpoints)
#define LEVIN_SLIPS_OF_LOAD(L, X) \
  L(X, oad) L(X, olad) L(X, lload) L(X, lad) L(X, laod) L(X, looad) L(X, lod) L(X, loda) L(X, loaad) L(X, loa) \
  L(X, loadd)
#define LEVIN_SLIPS_OF_BEFORE(L, X) \
  L(X, efore) L(X, ebfore) L(X, bbefore) L(X, bfore) L(X, bfeore) L(X, beefore) L(X, beore) L(X, beofre) \
  L(X, beffore) L(X, befre) L(X, befroe) L(X, befoore) L(X, befoe) L(X, befoer) L(X, beforre) L(X, befor) \
  L(X, beforee)
#define LEVIN_SLIPS_OF_BACKWARD(L, X) \
  L(X, ackward) L(X, abckward) L(X, bbackward) L(X, bckward) L(X, bcakward) L(X, baackward) L(X, bakward) \
  L(X, bakcward) L(X, bacckward) L(X, bacward) L(X, bacwkard) L(X, backkward) L(X, backard) L(X, backawrd) \
  L(X, backwward) L(X, backwrd) L(X, backwrad) L(X, backwaard) L(X, backwad) L(X, backwadr) L(X, backwarrd) \
  L(X, backwar) L(X, backwardd) L(X, backwards)
#define LEVIN_SLIPS_OF_AFTER(L, X) \
  L(X, fter) L(X, fater) L(X, aafter) L(X, ater) L(X, atfer) L(X, affter) L(X, afer) L(X, afetr) L(X, aftter) \
  L(X, aftr) L(X, aftre) L(X, afteer) L(X, afte) L(X, afterr)
#define LEVIN_SLIPS_OF_OPTIMIZER(L, X) \
  L(X, ptimizer) L(X, potimizer) L(X, ooptimizer) L(X, otimizer) L(X, otpimizer) L(X, opptimizer) L(X, opimizer) \
  L(X, opitmizer) L(X, opttimizer) L(X, optmizer) L(X, optmiizer) L(X, optiimizer) L(X, optiizer) L(X, optiimzer) \
  L(X, optimmizer) L(X, optimzer) L(X, optimzier) L(X, optimiizer) L(X, optimier) L(X, optimiezr) L(X, optimizzer) \
  L(X, optimizr) L(X, optimizre) L(X, optimizeer) L(X, optimize) L(X, optimizerr) L(X, optimiser)
#define LEVIN_SLIPS_OF_STEP(L, X) \
  L(X, tep) L(X, tsep) L(X, sstep) L(X, sep) L(X, setp) L(X, sttep) L(X, stp) L(X, stpe) L(X, steep) L(X, ste) \
  L(X, stepp)
#define LEVIN_SLIPS_OF_ZERO(L, X) \
  L(X, ero) L(X, ezro) L(X, zzero) L(X, zro) L(X, zreo) L(X, zeero) L(X, zeo) L(X, zeor) L(X, zerro) L(X, zer) \
  L(X, zeroo)
#define LEVIN_SLIPS_OF_GRAD(L, X) \
  L(X, rad) L(X, rgad) L(X, ggrad) L(X, gad) L(X, gard) L(X, grrad) L(X, grd) L(X, grda) L(X, graad) L(X, gra) \
  L(X, gradd) L(X, grads) L(X, gradient)
#define LEVIN_SLIPS_OF_DURABLE(L, X) \
  L(X, urable) L(X, udrable) L(X, ddurable) L(X, drable) L(X, druable) L(X, duurable) L(X, duable) L(X, duarble) \
  L(X, durrable) L(X, durble) L(X, durbale) L(X, duraable) L(X, durale) L(X, duralbe) L(X, durabble) L(X, durabe) \
  L(X, durabel) L(X, durablle) L(X, durabl) L(X, durablee)
#define LEVIN_SLIPS_OF_CONFIGURE(L, X) \
  L(X, onfigure) L(X, ocnfigure) L(X, cconfigure) L(X, cnfigure) L(X, cnofigure) L(X, coonfigure) L(X, cofigure) \
  L(X, cofnigure) L(X, connfigure) L(X, conigure) L(X, conifgure) L(X, conffigure) L(X, confgure) L(X, confgiure) \
  L(X, confiigure) L(X, confiure) L(X, confiugre) L(X, configgure) L(X, configre) L(X, configrue) L(X, configuure) \
  L(X, configue) L(X, configuer) L(X, configurre) L(X, configur) L(X, configuree)
#define LEVIN_SLIPS_OF_MODEL(L, X) \
  L(X, odel) L(X, omdel) L(X, mmodel) L(X, mdel) L(X, mdoel) L(X, moodel) L(X, moel) L(X, moedl) L(X, moddel) \
  L(X, modl) L(X, modle) L(X, modeel) L(X, modell)
#define LEVIN_SLIPS_OF_EVAL(L, X) \
  L(X, val) L(X, veal) L(X, eeval) L(X, eal) L(X, eavl) L(X, evval) L(X, evl) L(X, evla) L(X, evaal) L(X, eva) \
  L(X, evall)
#define LEVIN_SLIPS_OF_PRETRAIN(L, X) \
  L(X, retrain) L(X, rpetrain) L(X, ppretrain) L(X, petrain) L(X, pertrain) L(X, prretrain) L(X, prtrain) \
  L(X, prterain) L(X, preetrain) L(X, prerain) L(X, prertain) L(X, prettrain) L(X, pretain) L(X, pretarin) \
  L(X, pretrrain) L(X, pretrin) L(X, pretrian) L(X, pretraain) L(X, pretran) L(X, pretrani) L(X, pretraiin) \
  L(X, pretrai) L(X, pretrainn)
#define LEVIN_SLIPS_OF_ROUTINE(L, X) \
  L(X, outine) L(X, orutine) L(X, rroutine) L(X, rutine) L(X, ruotine) L(X, rooutine) L(X, rotine) L(X, rotuine) \
  L(X, rouutine) L(X, rouine) L(X, rouitne) L(X, routtine) L(X, routne) L(X, routnie) L(X, routiine) L(X, routie) \
  L(X, routien) L(X, routinne) L(X, routin) L(X, routinee)
#define LEVIN_SLIPS_OF_DATALOADER(L, X) \
  L(X, ataloader) L(X, adtaloader) L(X, ddataloader) L(X, dtaloader) L(X, dtaaloader) L(X, daataloader) \
  L(X, daaloader) L(X, daatloader) L(X, dattaloader) L(X, datloader) L(X, datlaoader) L(X, dataaloader) \
  L(X, dataoader) L(X, dataolader) L(X, datalloader) L(X, datalader) L(X, datalaoder) L(X, datalooader) \
  L(X, dataloder) L(X, datalodaer) L(X, dataloaader) L(X, dataloaer) L(X, dataloaedr) L(X, dataloadder) \
  L(X, dataloadr) L(X, dataloadre) L(X, dataloadeer) L(X, dataloade) L(X, dataloaderr) L(X, data_loader) \
  L(X, dataloaders)
#define LEVIN_SLIPS_OF_TRAINING(L, X) \
  L(X, raining) L(X, rtaining) L(X, ttraining) L(X, taining) L(X, tarining) L(X, trraining) L(X, trining) \
  L(X, trianing) L(X, traaining) L(X, traning) L(X, traniing) L(X, traiining) L(X, traiing) L(X, traiinng) \
  L(X, trainning) L(X, trainng) L(X, trainnig) L(X, trainiing) L(X, trainig) L(X, trainign) L(X, traininng) \
  L(X, trainin) L(X, trainingg)
#define LEVIN_SLIPS_OF_OPTIMIZERS(L, X) \
  L(X, ptimizers) L(X, potimizers) L(X, ooptimizers) L(X, otimizers) L(X, otpimizers) L(X, opptimizers) \
  L(X, opimizers) L(X, opitmizers) L(X, opttimizers) L(X, optmizers) L(X, optmiizers) L(X, optiimizers) \
  L(X, optiizers) L(X, optiimzers) L(X, optimmizers) L(X, optimzers) L(X, optimziers) L(X, optimiizers) \
  L(X, optimiers) L(X, optimiezrs) L(X, optimizzers) L(X, optimizrs) L(X, optimizres) L(X, optimizeers) \
  L(X, optimizes) L(X, optimizesr) L(X, optimizerrs) L(X, optimizerss)
#define LEVIN_SLIPS_OF_SCHEDULER(L, X) \
  L(X, cheduler) L(X, csheduler) L(X, sscheduler) L(X, sheduler) L(X, shceduler) L(X, sccheduler) L(X, sceduler) \
  L(X, scehduler) L(X, schheduler) L(X, schduler) L(X, schdeuler) L(X, scheeduler) L(X, scheuler) L(X, scheudler) \
  L(X, schedduler) L(X, schedler) L(X, schedluer) L(X, scheduuler) L(X, scheduer) L(X, scheduelr) L(X, scheduller) \
  L(X, schedulr) L(X, schedulre) L(X, scheduleer) L(X, schedule) L(X, schedulerr)
#define LEVIN_SLIPS_OF_GRADIENT(L, X) \
  L(X, radient) L(X, rgadient) L(X, ggradient) L(X, gadient) L(X, gardient) L(X, grradient) L(X, grdient) \
  L(X, grdaient) L(X, graadient) L(X, graient) L(X, graident) L(X, graddient) L(X, gradent) L(X, gradeint) \
  L(X, gradiient) L(X, gradint) L(X, gradinet) L(X, gradieent) L(X, gradiet) L(X, gradietn) L(X, gradiennt) \
  L(X, gradien) L(X, gradientt) L(X, gradients)
#define LEVIN_SLIPS_OF_CLIPPING(L, X) \
  L(X, lipping) L(X, lcipping) L(X, cclipping) L(X, cipping) L(X, cilpping) L(X, cllipping) L(X, clpping) \
  L(X, clpiping) L(X, cliipping) L(X, cliping) L(X, clippping) L(X, clipipng) L(X, clippng) L(X, clippnig) \
  L(X, clippiing) L(X, clippig) L(X, clippign) L(X, clippinng) L(X, clippin) L(X, clippingg)
#define LEVIN_SLIPS_OF_TRANSFER(L, X) \
  L(X, ransfer) L(X, rtansfer) L(X, ttransfer) L(X, tansfer) L(X, tarnsfer) L(X, trransfer) L(X, trnsfer) \
  L(X, trnasfer) L(X, traansfer) L(X, trasfer) L(X, trasnfer) L(X, trannsfer) L(X, tranfer) L(X, tranfser) \
  L(X, transsfer) L(X, transer) L(X, transefr) L(X, transffer) L(X, transfr) L(X, transfre) L(X, transfeer) \
  L(X, transfe) L(X, transferr)
#define LEVIN_SLIPS_OF_DEVICE(L, X) \
  L(X, evice) L(X, edvice) L(X, ddevice) L(X, dvice) L(X, dveice) L(X, deevice) L(X, deice) L(X, deivce) \
  L(X, devvice) L(X, devce) L(X, devcie) L(X, deviice) L(X, devie) L(X, deviec) L(X, devicce) L(X, devic) \
  L(X, devicee)
#define LEVIN_SLIPS_OF_TBPTT(L, X) \
  L(X, bptt) L(X, btptt) L(X, ttbptt) L(X, tptt) L(X, tpbtt) L(X, tbbptt) L(X, tbtt) L(X, tbtpt) L(X, tbpptt) \
  L(X, tbpt) L(X, tbpttt)
#define LEVIN_SLIPS_OF_SPLIT(L, X) \
  L(X, plit) L(X, pslit) L(X, ssplit) L(X, slit) L(X, slpit) L(X, spplit) L(X, spit) L(X, spilt) L(X, spllit) \
  L(X, splt) L(X, splti) L(X, spliit) L(X, spli) L(X, splitt)
#define LEVIN_SLIPS_OF_CALLBACKS(L, X) \
  L(X, allbacks) L(X, acllbacks) L(X, ccallbacks) L(X, cllbacks) L(X, clalbacks) L(X, caallbacks) L(X, calbacks) \
  L(X, calllbacks) L(X, calblacks) L(X, callacks) L(X, callabcks) L(X, callbbacks) L(X, callbcks) L(X, callbcaks) \
  L(X, callbaacks) L(X, callbaks) L(X, callbakcs) L(X, callbaccks) L(X, callbacs) L(X, callbacsk) L(X, callbackks) \
  L(X, callback) L(X, callbackss)
#define LEVIN_SLIPS_OF_EXAMPLE(L, X) \
  L(X, xample) L(X, xeample) L(X, eexample) L(X, eample) L(X, eaxmple) L(X, exxample) L(X, exmple) L(X, exmaple) \
  L(X, exaample) L(X, exaple) L(X, exapmle) L(X, exammple) L(X, examle) L(X, examlpe) L(X, exampple) L(X, exampe) \
  L(X, exampel) L(X, examplle) L(X, exampl) L(X, examplee)
#define LEVIN_SLIPS_OF_INPUT(L, X) \
  L(X, nput) L(X, niput) L(X, iinput) L(X, iput) L(X, ipnut) L(X, innput) L(X, inut) L(X, inupt) L(X, inpput) \
  L(X, inpt) L(X, inptu) L(X, inpuut) L(X, inpu) L(X, inputt)

// The hooks with the word, and their names with the misspelling `s`: X(wrong, right).
#define LEVIN_HOOKS_WITH_SETUP(X, s) \
  X(s, setup)
#define LEVIN_HOOKS_WITH_TEARDOWN(X, s) \
  X(s, teardown)
#define LEVIN_HOOKS_WITH_FIT(X, s) \
  X(on_##s##_start, on_fit_start) X(on_##s##_end, on_fit_end)
#define LEVIN_HOOKS_WITH_START(X, s) \
  X(on_fit_##s, on_fit_start) X(on_sanity_check_##s, on_sanity_check_start) X(on_train_##s, on_train_start) \
  X(on_train_epoch_##s, on_train_epoch_start) X(on_train_batch_##s, on_train_batch_start) \
  X(on_validation_##s, on_validation_start) X(on_validation_epoch_##s, on_validation_epoch_start) \
  X(on_validation_batch_##s, on_validation_batch_start) X(on_test_##s, on_test_start) \
  X(on_test_epoch_##s, on_test_epoch_start) X(on_test_batch_##s, on_test_batch_start) \
  X(on_predict_##s, on_predict_start) X(on_predict_epoch_##s, on_predict_epoch_start) \
  X(on_predict_batch_##s, on_predict_batch_start) X(on_epoch_##s, on_epoch_start) \
  X(on_pretrain_routine_##s, on_pretrain_routine_start) X(on_batch_##s, on_batch_start)
#define LEVIN_HOOKS_WITH_END(X, s) \
  X(on_fit_##s, on_fit_end) X(on_sanity_check_##s, on_sanity_check_end) X(on_train_##s, on_train_end) \
  X(on_train_epoch_##s, on_train_epoch_end) X(on_train_batch_##s, on_train_batch_end) \
  X(on_validation_##s, on_validation_end) X(on_validation_epoch_##s, on_validation_epoch_end) \
  X(on_validation_batch_##s, on_validation_batch_end) X(on_test_##s, on_test_end) \
  X(on_test_epoch_##s, on_test_epoch_end) X(on_test_batch_##s, on_test_batch_end) X(on_predict_##s, on_predict_end) \
  X(on_predict_epoch_##s, on_predict_epoch_end) X(on_predict_batch_##s, on_predict_batch_end) \
  X(on_epoch_##s, on_epoch_end) X(on_pretrain_routine_##s, on_pretrain_routine_end) X(on_batch_##s, on_batch_end)
#define LEVIN_HOOKS_WITH_SANITY(X, s) \
  X(on_##s##_check_start, on_sanity_check_start) X(on_##s##_check_end, on_sanity_check_end)
#define LEVIN_HOOKS_WITH_CHECK(X, s) \
  X(on_sanity_##s##_start, on_sanity_check_start) X(on_sanity_##s##_end, on_sanity_check_end)
#define LEVIN_HOOKS_WITH_TRAIN(X, s) \
  X(on_##s##_start, on_train_start) X(on_##s##_end, on_train_end) X(on_##s##_epoch_start, on_train_epoch_start) \
  X(on_##s##_epoch_end, on_train_epoch_end) X(on_##s##_batch_start, on_train_batch_start) \
  X(on_##s##_batch_end, on_train_batch_end) X(on_validation_model_##s, on_validation_model_train) \
  X(on_test_model_##s, on_test_model_train) X(s##_dataloader, train_dataloader)
#define LEVIN_HOOKS_WITH_EPOCH(X, s) \
  X(on_train_##s##_start, on_train_epoch_start) X(on_train_##s##_end, on_train_epoch_end) \
  X(on_validation_##s##_start, on_validation_epoch_start) X(on_validation_##s##_end, on_validation_epoch_end) \
  X(on_test_##s##_start, on_test_epoch_start) X(on_test_##s##_end, on_test_epoch_end) \
  X(on_predict_##s##_start, on_predict_epoch_start) X(on_predict_##s##_end, on_predict_epoch_end) \
  X(on_##s##_start, on_epoch_start) X(on_##s##_end, on_epoch_end)
#define LEVIN_HOOKS_WITH_BATCH(X, s) \
  X(on_train_##s##_start, on_train_batch_start) X(on_train_##s##_end, on_train_batch_end) \
  X(on_validation_##s##_start, on_validation_batch_start) X(on_validation_##s##_end, on_validation_batch_end) \
  X(on_test_##s##_start, on_test_batch_start) X(on_test_##s##_end, on_test_batch_end) \
  X(on_predict_##s##_start, on_predict_batch_start) X(on_predict_##s##_end, on_predict_batch_end) \
  X(on_##s##_start, on_batch_start) X(on_##s##_end, on_batch_end)
#define LEVIN_HOOKS_WITH_VALIDATION(X, s) \
  X(on_##s##_start, on_validation_start) X(on_##s##_end, on_validation_end) \
  X(on_##s##_epoch_start, on_validation_epoch_start) X(on_##s##_epoch_end, on_validation_epoch_end) \
  X(on_##s##_batch_start, on_validation_batch_start) X(on_##s##_batch_end, on_validation_batch_end) \
  X(on_##s##_model_zero_grad, on_validation_model_zero_grad) X(on_##s##_model_eval, on_validation_model_eval) \
  X(on_##s##_model_train, on_validation_model_train)
#define LEVIN_HOOKS_WITH_TEST(X, s) \
  X(on_##s##_start, on_test_start) X(on_##s##_end, on_test_end) X(on_##s##_epoch_start, on_test_epoch_start) \
  X(on_##s##_epoch_end, on_test_epoch_end) X(on_##s##_batch_start, on_test_batch_start) \
  X(on_##s##_batch_end, on_test_batch_end) X(on_##s##_model_eval, on_test_model_eval) \
  X(on_##s##_model_train, on_test_model_train) X(s##_dataloader, test_dataloader)
#define LEVIN_HOOKS_WITH_PREDICT(X, s) \
  X(on_##s##_start, on_predict_start) X(on_##s##_end, on_predict_end) \
  X(on_##s##_epoch_start, on_predict_epoch_start) X(on_##s##_epoch_end, on_predict_epoch_end) \
  X(on_##s##_batch_start, on_predict_batch_start) X(on_##s##_batch_end, on_predict_batch_end) \
  X(on_##s##_model_eval, on_predict_model_eval) X(s##_dataloader, predict_dataloader)
#define LEVIN_HOOKS_WITH_EXCEPTION(X, s) \
  X(on_##s, on_exception)
#define LEVIN_HOOKS_WITH_SAVE(X, s) \
  X(on_##s##_checkpoint, on_save_checkpoint)
#define LEVIN_HOOKS_WITH_CHECKPOINT(X, s) \
  X(on_save_##s, on_save_checkpoint) X(on_load_##s, on_load_checkpoint) X(on_##s##_durable, on_checkpoint_durable)
#define LEVIN_HOOKS_WITH_LOAD(X, s) \
  X(on_##s##_checkpoint, on_load_checkpoint)
#define LEVIN_HOOKS_WITH_BEFORE(X, s) \
  X(on_##s##_backward, on_before_backward) X(on_##s##_optimizer_step, on_before_optimizer_step) \
  X(on_##s##_zero_grad, on_before_zero_grad)
#define LEVIN_HOOKS_WITH_BACKWARD(X, s) \
  X(on_before_##s, on_before_backward) X(on_after_##s, on_after_backward)
#define LEVIN_HOOKS_WITH_AFTER(X, s) \
  X(on_##s##_backward, on_after_backward)
#define LEVIN_HOOKS_WITH_OPTIMIZER(X, s) \
  X(on_before_##s##_step, on_before_optimizer_step)
#define LEVIN_HOOKS_WITH_STEP(X, s) \
  X(on_before_optimizer_##s, on_before_optimizer_step)
#define LEVIN_HOOKS_WITH_ZERO(X, s) \
  X(on_before_##s##_grad, on_before_zero_grad) X(on_validation_model_##s##_grad, on_validation_model_zero_grad)
#define LEVIN_HOOKS_WITH_GRAD(X, s) \
  X(on_before_zero_##s, on_before_zero_grad) X(on_validation_model_zero_##s, on_validation_model_zero_grad)
#define LEVIN_HOOKS_WITH_DURABLE(X, s) \
  X(on_checkpoint_##s, on_checkpoint_durable)
#define LEVIN_HOOKS_WITH_CONFIGURE(X, s) \
  X(s##_model, configure_model)
#define LEVIN_HOOKS_WITH_MODEL(X, s) \
  X(configure_##s, configure_model) X(on_validation_##s##_zero_grad, on_validation_model_zero_grad) \
  X(on_validation_##s##_eval, on_validation_model_eval) X(on_validation_##s##_train, on_validation_model_train) \
  X(on_test_##s##_eval, on_test_model_eval) X(on_test_##s##_train, on_test_model_train) \
  X(on_predict_##s##_eval, on_predict_model_eval)
#define LEVIN_HOOKS_WITH_EVAL(X, s) \
  X(on_validation_model_##s, on_validation_model_eval) X(on_test_model_##s, on_test_model_eval) \
  X(on_predict_model_##s, on_predict_model_eval)
#define LEVIN_HOOKS_WITH_PRETRAIN(X, s) \
  X(on_##s##_routine_start, on_pretrain_routine_start) X(on_##s##_routine_end, on_pretrain_routine_end)
#define LEVIN_HOOKS_WITH_ROUTINE(X, s) \
  X(on_pretrain_##s##_start, on_pretrain_routine_start) X(on_pretrain_##s##_end, on_pretrain_routine_end)
#define LEVIN_HOOKS_WITH_DATALOADER(X, s) \
  X(train_##s, train_dataloader) X(val_##s, val_dataloader) X(test_##s, test_dataloader) \
  X(predict_##s, predict_dataloader)

// The same for members that only models have.
#define LEVIN_STEPS_WITH_END(X, s) \
  X(training_step_##s, training_step_end) X(validation_step_##s, validation_step_end) \
  X(test_step_##s, test_step_end) X(training_epoch_##s, training_epoch_end) \
  X(validation_epoch_##s, validation_epoch_end) X(test_epoch_##s, test_epoch_end)
#define LEVIN_STEPS_WITH_EPOCH(X, s) \
  X(training_##s##_end, training_epoch_end) X(validation_##s##_end, validation_epoch_end) \
  X(test_##s##_end, test_epoch_end)
#define LEVIN_STEPS_WITH_BATCH(X, s) \
  X(on_before_##s##_transfer, on_before_batch_transfer) X(on_after_##s##_transfer, on_after_batch_transfer) \
  X(transfer_##s##_to_device, transfer_batch_to_device) X(tbptt_split_##s, tbptt_split_batch)
#define LEVIN_STEPS_WITH_VALIDATION(X, s) \
  X(s##_step, validation_step) X(s##_step_end, validation_step_end) X(s##_epoch_end, validation_epoch_end)
#define LEVIN_STEPS_WITH_TEST(X, s) \
  X(s##_step, test_step) X(s##_step_end, test_step_end) X(s##_epoch_end, test_epoch_end)
#define LEVIN_STEPS_WITH_PREDICT(X, s) \
  X(s##_step, predict_step)
#define LEVIN_STEPS_WITH_BEFORE(X, s) \
  X(on_##s##_batch_transfer, on_before_batch_transfer)
#define LEVIN_STEPS_WITH_AFTER(X, s) \
  X(on_##s##_batch_transfer, on_after_batch_transfer)
#define LEVIN_STEPS_WITH_OPTIMIZER(X, s) \
  X(s##_step, optimizer_step) X(s##_zero_grad, optimizer_zero_grad)
#define LEVIN_STEPS_WITH_STEP(X, s) \
  X(training_##s, training_step) X(validation_##s, validation_step) X(test_##s, test_step) \
  X(predict_##s, predict_step) X(training_##s##_end, training_step_end) X(validation_##s##_end, validation_step_end) \
  X(test_##s##_end, test_step_end) X(optimizer_##s, optimizer_step) X(lr_scheduler_##s, lr_scheduler_step)
#define LEVIN_STEPS_WITH_ZERO(X, s) \
  X(optimizer_##s##_grad, optimizer_zero_grad)
#define LEVIN_STEPS_WITH_GRAD(X, s) \
  X(optimizer_zero_##s, optimizer_zero_grad)
#define LEVIN_STEPS_WITH_CONFIGURE(X, s) \
  X(s##_optimizers, configure_optimizers) X(s##_gradient_clipping, configure_gradient_clipping) \
  X(s##_callbacks, configure_callbacks)
#define LEVIN_STEPS_WITH_TRAINING(X, s) \
  X(s##_step, training_step) X(s##_step_end, training_step_end) X(s##_epoch_end, training_epoch_end)
#define LEVIN_STEPS_WITH_OPTIMIZERS(X, s) \
  X(configure_##s, configure_optimizers)
#define LEVIN_STEPS_WITH_SCHEDULER(X, s) \
  X(lr_##s##_step, lr_scheduler_step)
#define LEVIN_STEPS_WITH_GRADIENT(X, s) \
  X(configure_##s##_clipping, configure_gradient_clipping)
#define LEVIN_STEPS_WITH_CLIPPING(X, s) \
  X(configure_gradient_##s, configure_gradient_clipping)
#define LEVIN_STEPS_WITH_TRANSFER(X, s) \
  X(on_before_batch_##s, on_before_batch_transfer) X(on_after_batch_##s, on_after_batch_transfer) \
  X(s##_batch_to_device, transfer_batch_to_device)
#define LEVIN_STEPS_WITH_DEVICE(X, s) \
  X(transfer_batch_to_##s, transfer_batch_to_device)
#define LEVIN_STEPS_WITH_TBPTT(X, s) \
  X(s##_split_batch, tbptt_split_batch)
#define LEVIN_STEPS_WITH_SPLIT(X, s) \
  X(tbptt_##s##_batch, tbptt_split_batch)
#define LEVIN_STEPS_WITH_CALLBACKS(X, s) \
  X(configure_##s, configure_callbacks)
#define LEVIN_STEPS_WITH_EXAMPLE(X, s) \
  X(s##_input, example_input)
#define LEVIN_STEPS_WITH_INPUT(X, s) \
  X(example_##s, example_input)

#define LEVIN_FOR_EACH_HOOK_SLIP(X) \
  LEVIN_SLIPS_OF_SETUP(LEVIN_HOOKS_WITH_SETUP, X) LEVIN_SLIPS_OF_TEARDOWN(LEVIN_HOOKS_WITH_TEARDOWN, X) \
  LEVIN_SLIPS_OF_FIT(LEVIN_HOOKS_WITH_FIT, X) LEVIN_SLIPS_OF_START(LEVIN_HOOKS_WITH_START, X) \
  LEVIN_SLIPS_OF_END(LEVIN_HOOKS_WITH_END, X) LEVIN_SLIPS_OF_SANITY(LEVIN_HOOKS_WITH_SANITY, X) \
  LEVIN_SLIPS_OF_CHECK(LEVIN_HOOKS_WITH_CHECK, X) LEVIN_SLIPS_OF_TRAIN(LEVIN_HOOKS_WITH_TRAIN, X) \
  LEVIN_SLIPS_OF_EPOCH(LEVIN_HOOKS_WITH_EPOCH, X) LEVIN_SLIPS_OF_BATCH(LEVIN_HOOKS_WITH_BATCH, X) \
  LEVIN_SLIPS_OF_VALIDATION(LEVIN_HOOKS_WITH_VALIDATION, X) LEVIN_SLIPS_OF_TEST(LEVIN_HOOKS_WITH_TEST, X) \
  LEVIN_SLIPS_OF_PREDICT(LEVIN_HOOKS_WITH_PREDICT, X) LEVIN_SLIPS_OF_EXCEPTION(LEVIN_HOOKS_WITH_EXCEPTION, X) \
  LEVIN_SLIPS_OF_SAVE(LEVIN_HOOKS_WITH_SAVE, X) LEVIN_SLIPS_OF_CHECKPOINT(LEVIN_HOOKS_WITH_CHECKPOINT, X) \
  LEVIN_SLIPS_OF_LOAD(LEVIN_HOOKS_WITH_LOAD, X) LEVIN_SLIPS_OF_BEFORE(LEVIN_HOOKS_WITH_BEFORE, X) \
  LEVIN_SLIPS_OF_BACKWARD(LEVIN_HOOKS_WITH_BACKWARD, X) LEVIN_SLIPS_OF_AFTER(LEVIN_HOOKS_WITH_AFTER, X) \
  LEVIN_SLIPS_OF_OPTIMIZER(LEVIN_HOOKS_WITH_OPTIMIZER, X) LEVIN_SLIPS_OF_STEP(LEVIN_HOOKS_WITH_STEP, X) \
  LEVIN_SLIPS_OF_ZERO(LEVIN_HOOKS_WITH_ZERO, X) LEVIN_SLIPS_OF_GRAD(LEVIN_HOOKS_WITH_GRAD, X) \
  LEVIN_SLIPS_OF_DURABLE(LEVIN_HOOKS_WITH_DURABLE, X) LEVIN_SLIPS_OF_CONFIGURE(LEVIN_HOOKS_WITH_CONFIGURE, X) \
  LEVIN_SLIPS_OF_MODEL(LEVIN_HOOKS_WITH_MODEL, X) LEVIN_SLIPS_OF_EVAL(LEVIN_HOOKS_WITH_EVAL, X) \
  LEVIN_SLIPS_OF_PRETRAIN(LEVIN_HOOKS_WITH_PRETRAIN, X) LEVIN_SLIPS_OF_ROUTINE(LEVIN_HOOKS_WITH_ROUTINE, X) \
  LEVIN_SLIPS_OF_DATALOADER(LEVIN_HOOKS_WITH_DATALOADER, X)
#define LEVIN_FOR_EACH_STEP_SLIP(X) \
  LEVIN_SLIPS_OF_END(LEVIN_STEPS_WITH_END, X) LEVIN_SLIPS_OF_EPOCH(LEVIN_STEPS_WITH_EPOCH, X) \
  LEVIN_SLIPS_OF_BATCH(LEVIN_STEPS_WITH_BATCH, X) LEVIN_SLIPS_OF_VALIDATION(LEVIN_STEPS_WITH_VALIDATION, X) \
  LEVIN_SLIPS_OF_TEST(LEVIN_STEPS_WITH_TEST, X) LEVIN_SLIPS_OF_PREDICT(LEVIN_STEPS_WITH_PREDICT, X) \
  LEVIN_SLIPS_OF_BEFORE(LEVIN_STEPS_WITH_BEFORE, X) LEVIN_SLIPS_OF_AFTER(LEVIN_STEPS_WITH_AFTER, X) \
  LEVIN_SLIPS_OF_OPTIMIZER(LEVIN_STEPS_WITH_OPTIMIZER, X) LEVIN_SLIPS_OF_STEP(LEVIN_STEPS_WITH_STEP, X) \
  LEVIN_SLIPS_OF_ZERO(LEVIN_STEPS_WITH_ZERO, X) LEVIN_SLIPS_OF_GRAD(LEVIN_STEPS_WITH_GRAD, X) \
  LEVIN_SLIPS_OF_CONFIGURE(LEVIN_STEPS_WITH_CONFIGURE, X) LEVIN_SLIPS_OF_TRAINING(LEVIN_STEPS_WITH_TRAINING, X) \
  LEVIN_SLIPS_OF_OPTIMIZERS(LEVIN_STEPS_WITH_OPTIMIZERS, X) LEVIN_SLIPS_OF_SCHEDULER(LEVIN_STEPS_WITH_SCHEDULER, X) \
  LEVIN_SLIPS_OF_GRADIENT(LEVIN_STEPS_WITH_GRADIENT, X) LEVIN_SLIPS_OF_CLIPPING(LEVIN_STEPS_WITH_CLIPPING, X) \
  LEVIN_SLIPS_OF_TRANSFER(LEVIN_STEPS_WITH_TRANSFER, X) LEVIN_SLIPS_OF_DEVICE(LEVIN_STEPS_WITH_DEVICE, X) \
  LEVIN_SLIPS_OF_TBPTT(LEVIN_STEPS_WITH_TBPTT, X) LEVIN_SLIPS_OF_SPLIT(LEVIN_STEPS_WITH_SPLIT, X) \
  LEVIN_SLIPS_OF_CALLBACKS(LEVIN_STEPS_WITH_CALLBACKS, X) LEVIN_SLIPS_OF_EXAMPLE(LEVIN_STEPS_WITH_EXAMPLE, X) \
  LEVIN_SLIPS_OF_INPUT(LEVIN_STEPS_WITH_INPUT, X)
